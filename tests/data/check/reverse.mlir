// reverse SI
func.func @reverse_s8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xi8>
  check.expect_eq_const %r, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xi8>
  return
}

// reverse UI
func.func @reverse_u32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui32>
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xui32>
  check.expect_eq_const %r, dense<[[2, 1], [4, 3], [6, 5]]> : tensor<3x2xui32>
  return
}

// reverse F
func.func @reverse_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xbf16>
  check.expect_eq_const %r, dense<[[2.0, 1.0], [4.0, 3.0], [6.0, 5.0]]> : tensor<3x2xbf16>
  return
}

// reverse F
func.func @reverse_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xf32>
  check.expect_eq_const %r, dense<[[2.0, 1.0], [4.0, 3.0], [6.0, 5.0]]> : tensor<3x2xf32>
  return
}

// reverse C
func.func @reverse_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]]> : tensor<3x2xcomplex<f32>>
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(2.0, 0.0), (1.0, 0.0)], [(4.0, 0.0), (3.0, 0.0)], [(6.0, 0.0), (5.0, 0.0)]]> : tensor<3x2xcomplex<f32>>
  return
}

// reverse B: reverse i1
func.func @reverse_pred() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r = stablehlo.reverse %x0, dims = [0] : tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reverse Q
func.func @reverse_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.reverse %a, dims = [1] : tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[7, 5, 3], [13, -9, 9]]> : tensor<2x3xi8>
  return
}

// reverse F, dot_general F: a dimension of one element beside one that is not reversed
func.func @reverse_one_of_product_f32() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %w = stablehlo.constant dense<[[1.0], [10.0]]> : tensor<2x1xf32>
  %a = stablehlo.reverse %x, dims = [0, 2] : tensor<1x3x2xf32>
  %r = stablehlo.dot_general %a, %w, contracting_dims = [2] x [0] : (tensor<1x3x2xf32>, tensor<2x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r, dense<[[[12.0], [34.0], [56.0]]]> : tensor<1x3x1xf32>
  return
}
