// transpose F, reshape F: XLA Reshape 120 24
func.func @transpose_f32() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<24xf32>
  check.expect_eq_const %r, dense<[10.0, 20.0, 30.0, 40.0, 11.0, 21.0, 31.0, 41.0, 12.0, 22.0, 32.0, 42.0, 15.0, 25.0, 35.0, 45.0, 16.0, 26.0, 36.0, 46.0, 17.0, 27.0, 37.0, 47.0]> : tensor<24xf32>
  return
}

// transpose F, reshape F: XLA Reshape 120 8 3
func.func @transpose_f32_2() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<8x3xf32>
  check.expect_eq_const %r, dense<[[10.0, 20.0, 30.0], [40.0, 11.0, 21.0], [31.0, 41.0, 12.0], [22.0, 32.0, 42.0], [15.0, 25.0, 35.0], [45.0, 16.0, 26.0], [36.0, 46.0, 17.0], [27.0, 37.0, 47.0]]> : tensor<8x3xf32>
  return
}

// transpose F, reshape F: XLA Reshape 120 2 6 2
func.func @transpose_f32_3() {
  %x0 = stablehlo.constant dense<[[[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]], [[20.0, 21.0, 22.0], [25.0, 26.0, 27.0]], [[30.0, 31.0, 32.0], [35.0, 36.0, 37.0]], [[40.0, 41.0, 42.0], [45.0, 46.0, 47.0]]]> : tensor<4x2x3xf32>
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<2x6x2xf32>
  check.expect_eq_const %r, dense<[[[10.0, 20.0], [30.0, 40.0], [11.0, 21.0], [31.0, 41.0], [12.0, 22.0], [32.0, 42.0]], [[15.0, 25.0], [35.0, 45.0], [16.0, 26.0], [36.0, 46.0], [17.0, 27.0], [37.0, 47.0]]]> : tensor<2x6x2xf32>
  return
}

// transpose SI
func.func @transpose_s8() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi8>
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xi8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %r, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi8>
  return
}

// transpose UI
func.func @transpose_u32() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xui32>
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xui32>) -> tensor<2x3x2xui32>
  check.expect_eq_const %r, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xui32>
  return
}

// transpose F
func.func @transpose_bf16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xbf16>
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %r, dense<[[[1.0, 7.0], [3.0, 9.0], [5.0, 11.0]], [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]]> : tensor<2x3x2xbf16>
  return
}

// transpose F
func.func @transpose_f32_4() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]]> : tensor<2x3x2xf32>
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %r, dense<[[[1.0, 7.0], [3.0, 9.0], [5.0, 11.0]], [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]]> : tensor<2x3x2xf32>
  return
}

// transpose C
func.func @transpose_c64() {
  %x0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]], [[(7.0, 0.0), (8.0, 0.0)], [(9.0, 0.0), (10.0, 0.0)], [(11.0, 0.0), (12.0, 0.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[(1.0, 0.0), (7.0, 0.0)], [(3.0, 0.0), (9.0, 0.0)], [(5.0, 0.0), (11.0, 0.0)]], [[(2.0, 0.0), (8.0, 0.0)], [(4.0, 0.0), (10.0, 0.0)], [(6.0, 0.0), (12.0, 0.0)]]]> : tensor<2x3x2xcomplex<f32>>
  return
}

// transpose B: transpose i1
func.func @transpose_pred() {
  %x0 = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %r = stablehlo.transpose %x0, dims = [1, 0] : (tensor<2x1xi1>) -> tensor<1x2xi1>
  check.expect_eq_const %r, dense<[[true, false]]> : tensor<1x2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// transpose Q
func.func @transpose_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3x!q8>) -> tensor<3x2x!q8>
  check.expect_eq_const %r, dense<[[3, 9], [5, -9], [7, 13]]> : tensor<3x2xi8>
  return
}
