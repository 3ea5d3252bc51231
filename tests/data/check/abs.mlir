// abs SI
func.func @abs_s32() {
  %x0 = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi32>
  %r = stablehlo.abs %x0 : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[2, 0, 2]> : tensor<3xi32>
  return
}

// abs F
func.func @abs_bf16() {
  %x0 = stablehlo.constant dense<[-2.5, -0.0, 0.0, 2.0]> : tensor<4xbf16>
  %r = stablehlo.abs %x0 : (tensor<4xbf16>) -> tensor<4xbf16>
  check.expect_eq_const %r, dense<[2.5, 0.0, 0.0, 2.0]> : tensor<4xbf16>
  return
}

// abs F
func.func @abs_f16() {
  %x0 = stablehlo.constant dense<[-2.5, -0.0, 0.0, 2.0]> : tensor<4xf16>
  %r = stablehlo.abs %x0 : (tensor<4xf16>) -> tensor<4xf16>
  check.expect_eq_const %r, dense<[2.5, 0.0, 0.0, 2.0]> : tensor<4xf16>
  return
}

// abs F
func.func @abs_f64() {
  %x0 = stablehlo.constant dense<[-2.5, -0.0, 0.0, 2.0]> : tensor<4xf64>
  %r = stablehlo.abs %x0 : (tensor<4xf64>) -> tensor<4xf64>
  check.expect_eq_const %r, dense<[2.5, 0.0, 0.0, 2.0]> : tensor<4xf64>
  return
}

// abs SI
func.func @abs_s4() {
  %x0 = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi4>
  %r = stablehlo.abs %x0 : (tensor<3xi4>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[2, 0, 2]> : tensor<3xi4>
  return
}

// abs SI
func.func @abs_s8() {
  %x0 = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi8>
  %r = stablehlo.abs %x0 : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %r, dense<[2, 0, 2]> : tensor<3xi8>
  return
}

// abs SI
func.func @abs_s64() {
  %x0 = stablehlo.constant dense<[-2, 0, 2]> : tensor<3xi64>
  %r = stablehlo.abs %x0 : (tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %r, dense<[2, 0, 2]> : tensor<3xi64>
  return
}

// abs F
func.func @abs_f32() {
  %x0 = stablehlo.constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  %r = stablehlo.abs %x0 : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[2.0, 0.0, 2.0]> : tensor<3xf32>
  return
}

// abs F
func.func @abs_f8e4m3fn() {
  %x0 = stablehlo.constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf8E4M3FN>
  %r = stablehlo.abs %x0 : (tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %r, dense<[2.0, 0.0, 2.0]> : tensor<3xf8E4M3FN>
  return
}

// abs C: abs complex
func.func @abs_c64() {
  %x0 = stablehlo.constant dense<[(3.0, 4.0), (0.0, -2.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.abs %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[5.0, 2.0]> : tensor<2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<2xf32>, tensor<2xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// abs Q
func.func @abs_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.abs %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[5, 2, 7]> : tensor<3xi8>
  return
}
