// broadcast_in_dim SI
func.func @broadcast_in_dim_s8() {
  %x0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi8>
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xi8>) -> tensor<2x3x2xi8>
  check.expect_eq_const %r, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi8>
  return
}

// broadcast_in_dim UI
func.func @broadcast_in_dim_u32() {
  %x0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xui32>
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xui32>) -> tensor<2x3x2xui32>
  check.expect_eq_const %r, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xui32>
  return
}

// broadcast_in_dim F
func.func @broadcast_in_dim_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xbf16>
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xbf16>) -> tensor<2x3x2xbf16>
  check.expect_eq_const %r, dense<[[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]]> : tensor<2x3x2xbf16>
  return
}

// broadcast_in_dim F
func.func @broadcast_in_dim_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %r, dense<[[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]]> : tensor<2x3x2xf32>
  return
}

// broadcast_in_dim C
func.func @broadcast_in_dim_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]]> : tensor<1x3xcomplex<f32>>
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[(1.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (3.0, 0.0)]], [[(1.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (3.0, 0.0)]]]> : tensor<2x3x2xcomplex<f32>>
  return
}

// broadcast_in_dim B: broadcast_in_dim i1
func.func @broadcast_in_dim_pred() {
  %x0 = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, true]> : tensor<2xi1>
  return
}

// broadcast_in_dim F, add F: XLA broadcasting matrix and vector
func.func @broadcast_in_dim_f32_2() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %x1 = stablehlo.constant dense<[7.0, 8.0, 9.0]> : tensor<3xf32>
  %b = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %r = stablehlo.add %x0, %b : tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[8.0, 10.0, 12.0], [11.0, 13.0, 15.0]]> : tensor<2x3xf32>
  return
}

// broadcast_in_dim F, add F: XLA broadcasting scalar
func.func @broadcast_in_dim_f32_3() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %x1 = stablehlo.constant dense<7.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %r = stablehlo.add %x0, %b : tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[8.0, 9.0, 10.0], [11.0, 12.0, 13.0]]> : tensor<2x3xf32>
  return
}

// broadcast_in_dim F, add F: XLA broadcasting vector and row
func.func @broadcast_in_dim_f32_4() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %x1 = stablehlo.constant dense<[[5.0, 6.0]]> : tensor<1x2xf32>
  %a = stablehlo.broadcast_in_dim %x0, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
  %b = stablehlo.broadcast_in_dim %x1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<4x2xf32>
  %r = stablehlo.add %a, %b : tensor<4x2xf32>
  check.expect_eq_const %r, dense<[[6.0, 7.0], [7.0, 8.0], [8.0, 9.0], [9.0, 10.0]]> : tensor<4x2xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// broadcast_in_dim Q
func.func @broadcast_in_dim_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x3x!q8>) -> tensor<2x2x3x!q8>
  check.expect_eq_const %r, dense<[[[3, 5, 7], [3, 5, 7]], [[9, -9, 13], [9, -9, 13]]]> : tensor<2x2x3xi8>
  return
}
