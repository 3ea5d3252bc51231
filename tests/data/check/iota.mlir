// iota SI: iota dim 0
func.func @iota_s32() {
  %r = stablehlo.iota dim = 0 : tensor<4x5xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi32>
  return
}

// iota UI: iota dim 0
func.func @iota_u8() {
  %r = stablehlo.iota dim = 0 : tensor<4x5xui8>
  check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xui8>
  return
}

// iota F: iota dim 0
func.func @iota_f32() {
  %r = stablehlo.iota dim = 0 : tensor<4x5xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 3.0]]> : tensor<4x5xf32>
  return
}

// iota F: iota dim 0
func.func @iota_f16() {
  %r = stablehlo.iota dim = 0 : tensor<4x5xf16>
  check.expect_eq_const %r, dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 3.0]]> : tensor<4x5xf16>
  return
}

// iota SI: iota dim 1
func.func @iota_s32_2() {
  %r = stablehlo.iota dim = 1 : tensor<4x5xi32>
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xi32>
  return
}

// iota UI: iota dim 1
func.func @iota_u64() {
  %r = stablehlo.iota dim = 1 : tensor<4x5xui64>
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<4x5xui64>
  return
}

// iota F: iota dim 1
func.func @iota_bf16() {
  %r = stablehlo.iota dim = 1 : tensor<4x5xbf16>
  check.expect_eq_const %r, dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0]]> : tensor<4x5xbf16>
  return
}

// iota C: iota complex
func.func @iota_c64() {
  %r = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

// iota SI: iota XLA dim 0
func.func @iota_s32_3() {
  %r = stablehlo.iota dim = 0 : tensor<4x8xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2, 2], [3, 3, 3, 3, 3, 3, 3, 3]]> : tensor<4x8xi32>
  return
}

// iota SI: iota XLA dim 1
func.func @iota_s32_4() {
  %r = stablehlo.iota dim = 1 : tensor<4x8xi32>
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<4x8xi32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// iota Q
func.func @iota_q8() {
  %r = stablehlo.iota dim = 1 : tensor<2x4x!q8>
  check.expect_eq_const %r, dense<[[1, 3, 5, 7], [1, 3, 5, 7]]> : tensor<2x4xi8>
  return
}
