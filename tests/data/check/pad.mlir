// pad SI
func.func @pad_s8() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %x1 = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xi8>, tensor<i8>) -> tensor<5x9xi8>
  check.expect_eq_const %r, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi8>
  return
}

// pad UI
func.func @pad_u32() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %x1 = stablehlo.constant dense<0> : tensor<ui32>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xui32>, tensor<ui32>) -> tensor<5x9xui32>
  check.expect_eq_const %r, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xui32>
  return
}

// pad F
func.func @pad_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %x1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xbf16>, tensor<bf16>) -> tensor<5x9xbf16>
  check.expect_eq_const %r, dense<[[0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<5x9xbf16>
  return
}

// pad F
func.func @pad_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %x1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x9xf32>
  check.expect_eq_const %r, dense<[[0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<5x9xf32>
  return
}

// pad C
func.func @pad_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], [(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %x1 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5x9xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.0, 0.0), (0.0, 0.0), (3.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (0.0, 0.0), (0.0, 0.0), (5.0, 0.0), (0.0, 0.0), (0.0, 0.0), (6.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<5x9xcomplex<f32>>
  return
}

// pad SI: pad XLA 1
func.func @pad_s32() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [1, 2], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x6xi32>
  check.expect_eq_const %r, dense<[[0, 1, 2, 3, 0, 0], [0, 4, 5, 6, 0, 0], [0, 0, 0, 0, 0, 0]]> : tensor<3x6xi32>
  return
}

// pad SI: pad XLA 2
func.func @pad_s32_2() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.pad %x0, %x1, low = [0, 0], high = [0, 0], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x5xi32>
  check.expect_eq_const %r, dense<[[1, 0, 2, 0, 3], [0, 0, 0, 0, 0], [4, 0, 5, 0, 6]]> : tensor<3x5xi32>
  return
}

// pad SI: pad XLA 3
func.func @pad_s32_3() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [1, 2], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x8xi32>
  check.expect_eq_const %r, dense<[[0, 1, 0, 2, 0, 3, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 5, 0, 6, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi32>
  return
}

// pad B: pad i1
func.func @pad_pred() {
  %x0 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %x1 = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.pad %x0, %x1, low = [0], high = [1], interior = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// pad Q
func.func @pad_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %v_real = stablehlo.constant dense<9.0> : tensor<f32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<f32>) -> tensor<!q8>
  %r = stablehlo.pad %a, %v, low = [0, 1], high = [1, 0], interior = [0, 1] : (tensor<2x3x!q8>, tensor<!q8>) -> tensor<3x6x!q8>
  check.expect_eq_const %r, dense<[[19, 3, 19, 5, 19, 7], [19, 9, 19, -9, 19, 13], [19, 19, 19, 19, 19, 19]]> : tensor<3x6xi8>
  return
}
