// reshape SI
func.func @reshape_s8() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %r = stablehlo.reshape %x0 : (tensor<2x3xi8>) -> tensor<3x2xi8>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  return
}

// reshape UI
func.func @reshape_u32() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui32>
  %r = stablehlo.reshape %x0 : (tensor<2x3xui32>) -> tensor<3x2xui32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui32>
  return
}

// reshape F
func.func @reshape_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xbf16>
  %r = stablehlo.reshape %x0 : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  return
}

// reshape F
func.func @reshape_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return
}

// reshape C
func.func @reshape_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], [(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %r = stablehlo.reshape %x0 : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]]> : tensor<3x2xcomplex<f32>>
  return
}

// reshape F: Reshape XLA 1x1
func.func @reshape_f32_2() {
  %x0 = stablehlo.constant dense<[[5.0]]> : tensor<1x1xf32>
  %r = stablehlo.reshape %x0 : (tensor<1x1xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<5.0> : tensor<f32>
  return
}

// reshape F: Reshape XLA scalar
func.func @reshape_f32_3() {
  %x0 = stablehlo.constant dense<5.0> : tensor<f32>
  %r = stablehlo.reshape %x0 : (tensor<f32>) -> tensor<1x1xf32>
  check.expect_eq_const %r, dense<[[5.0]]> : tensor<1x1xf32>
  return
}

// reshape B: reshape i1
func.func @reshape_pred() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r = stablehlo.reshape %x0 : (tensor<2xi1>) -> tensor<2x1xi1>
  check.expect_eq_const %r, dense<[[true], [false]]> : tensor<2x1xi1>
  return
}

// reshape F: XLA Collapse 012
func.func @reshape_f32_4() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<24xf32>
  check.expect_eq_const %r, dense<[10.0, 11.0, 12.0, 15.0, 16.0, 17.0, 20.0, 21.0, 22.0, 25.0, 26.0, 27.0, 30.0, 31.0, 32.0, 35.0, 36.0, 37.0, 40.0, 41.0, 42.0, 45.0, 46.0, 47.0]> : tensor<24xf32>
  return
}

// reshape F: XLA Collapse 01
func.func @reshape_f32_5() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  check.expect_eq_const %r, dense<[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0], [20.0, 21.0, 22.0], [25.0, 26.0, 27.0], [30.0, 31.0, 32.0], [35.0, 36.0, 37.0], [40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]> : tensor<8x3xf32>
  return
}

// reshape F: XLA Collapse 12
func.func @reshape_f32_6() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
  check.expect_eq_const %r, dense<[[10.0, 11.0, 12.0, 15.0, 16.0, 17.0], [20.0, 21.0, 22.0, 25.0, 26.0, 27.0], [30.0, 31.0, 32.0, 35.0, 36.0, 37.0], [40.0, 41.0, 42.0, 45.0, 46.0, 47.0]]> : tensor<4x6xf32>
  return
}

// reshape F: XLA Reshape 24
func.func @reshape_f32_7() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<24xf32>
  check.expect_eq_const %r, dense<[10.0, 11.0, 12.0, 15.0, 16.0, 17.0, 20.0, 21.0, 22.0, 25.0, 26.0, 27.0, 30.0, 31.0, 32.0, 35.0, 36.0, 37.0, 40.0, 41.0, 42.0, 45.0, 46.0, 47.0]> : tensor<24xf32>
  return
}

// reshape F: XLA Reshape 012 8 3
func.func @reshape_f32_8() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  check.expect_eq_const %r, dense<[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0], [20.0, 21.0, 22.0], [25.0, 26.0, 27.0], [30.0, 31.0, 32.0], [35.0, 36.0, 37.0], [40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]> : tensor<8x3xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reshape Q
func.func @reshape_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.reshape %a : (tensor<2x3x!q8>) -> tensor<3x2x!q8>
  check.expect_eq_const %r, dense<[[3, 5], [7, 9], [-9, 13]]> : tensor<3x2xi8>
  return
}
