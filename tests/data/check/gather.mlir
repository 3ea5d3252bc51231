// gather SI
func.func @gather_s32() {
  %x0 = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi32>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %r, dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]], [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]]> : tensor<2x2x3x2x2xi32>
  return
}

// gather UI
func.func @gather_u8() {
  %x0 = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xui8>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xui8>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xui8>
  check.expect_eq_const %r, dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], [[[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]], [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]]]> : tensor<2x2x3x2x2xui8>
  return
}

// gather F
func.func @gather_bf16() {
  %x0 = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xbf16>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xbf16>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xbf16>
  check.expect_eq_const %r, dense<[[[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [5.0, 6.0]], [[13.0, 14.0], [15.0, 16.0]]], [[[33.0, 34.0], [35.0, 36.0]], [[35.0, 36.0], [37.0, 38.0]], [[41.0, 42.0], [43.0, 44.0]]]], [[[[1.0, 2.0], [3.0, 4.0]], [[13.0, 14.0], [15.0, 16.0]], [[21.0, 22.0], [23.0, 24.0]]], [[[43.0, 44.0], [45.0, 46.0]], [[33.0, 34.0], [35.0, 36.0]], [[27.0, 28.0], [29.0, 30.0]]]]]> : tensor<2x2x3x2x2xbf16>
  return
}

// gather F
func.func @gather_f64() {
  %x0 = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xf64>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xf64>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xf64>
  check.expect_eq_const %r, dense<[[[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [5.0, 6.0]], [[13.0, 14.0], [15.0, 16.0]]], [[[33.0, 34.0], [35.0, 36.0]], [[35.0, 36.0], [37.0, 38.0]], [[41.0, 42.0], [43.0, 44.0]]]], [[[[1.0, 2.0], [3.0, 4.0]], [[13.0, 14.0], [15.0, 16.0]], [[21.0, 22.0], [23.0, 24.0]]], [[[43.0, 44.0], [45.0, 46.0]], [[33.0, 34.0], [35.0, 36.0]], [[27.0, 28.0], [29.0, 30.0]]]]]> : tensor<2x2x3x2x2xf64>
  return
}

// gather C
func.func @gather_c64() {
  %x0 = stablehlo.constant dense<[[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]], [[(9.0, 0.0), (10.0, 0.0)], [(11.0, 0.0), (12.0, 0.0)], [(13.0, 0.0), (14.0, 0.0)], [(15.0, 0.0), (16.0, 0.0)]], [[(17.0, 0.0), (18.0, 0.0)], [(19.0, 0.0), (20.0, 0.0)], [(21.0, 0.0), (22.0, 0.0)], [(23.0, 0.0), (24.0, 0.0)]]], [[[(25.0, 0.0), (26.0, 0.0)], [(27.0, 0.0), (28.0, 0.0)], [(29.0, 0.0), (30.0, 0.0)], [(31.0, 0.0), (32.0, 0.0)]], [[(33.0, 0.0), (34.0, 0.0)], [(35.0, 0.0), (36.0, 0.0)], [(37.0, 0.0), (38.0, 0.0)], [(39.0, 0.0), (40.0, 0.0)]], [[(41.0, 0.0), (42.0, 0.0)], [(43.0, 0.0), (44.0, 0.0)], [(45.0, 0.0), (46.0, 0.0)], [(47.0, 0.0), (48.0, 0.0)]]]]> : tensor<2x3x4x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xcomplex<f32>>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]], [[(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]], [[(13.0, 0.0), (14.0, 0.0)], [(15.0, 0.0), (16.0, 0.0)]]], [[[(33.0, 0.0), (34.0, 0.0)], [(35.0, 0.0), (36.0, 0.0)]], [[(35.0, 0.0), (36.0, 0.0)], [(37.0, 0.0), (38.0, 0.0)]], [[(41.0, 0.0), (42.0, 0.0)], [(43.0, 0.0), (44.0, 0.0)]]]], [[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]], [[(13.0, 0.0), (14.0, 0.0)], [(15.0, 0.0), (16.0, 0.0)]], [[(21.0, 0.0), (22.0, 0.0)], [(23.0, 0.0), (24.0, 0.0)]]], [[[(43.0, 0.0), (44.0, 0.0)], [(45.0, 0.0), (46.0, 0.0)]], [[(33.0, 0.0), (34.0, 0.0)], [(35.0, 0.0), (36.0, 0.0)]], [[(27.0, 0.0), (28.0, 0.0)], [(29.0, 0.0), (30.0, 0.0)]]]]]> : tensor<2x2x3x2x2xcomplex<f32>>
  return
}

// gather B: gather i1
func.func @gather_pred() {
  %x0 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %x1 = stablehlo.constant dense<[1, 7]> : tensor<2xi32>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<3xi1>, tensor<2xi32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// gather SI: dynamic_gather static
func.func @gather_s32_2() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi32>
  %x1 = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>} : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  check.expect_eq_const %r, dense<[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]]> : tensor<2x3x2x2xi32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// gather Q
func.func @gather_q8() {
  %at = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.gather"(%a, %at) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>,
    indices_are_sorted = false
  } : (tensor<2x3x!q8>, tensor<3xi64>) -> tensor<3x3x!q8>
  check.expect_eq_const %r, dense<[[9, -9, 13], [3, 5, 7], [9, -9, 13]]> : tensor<3x3xi8>
  return
}
