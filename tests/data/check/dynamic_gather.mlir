// dynamic_gather B
func.func @dynamic_gather_pred() {
  %operand = stablehlo.constant dense<[[[true, false], [true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false], [true, false]], [[true, false], [true, false], [true, false], [true, false]]]> : tensor<3x4x2xi1>
  %starts = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%operand, %starts, %sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3],
      collapsed_slice_dims = [0],
      start_index_map = [1, 0],
      index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xi1>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi1>
  check.expect_eq_const %r, dense<[[[[true, false], [true, false]], [[true, false], [true, false]], [[true, false], [true, false]]], [[[true, false], [true, false]], [[true, false], [true, false]], [[true, false], [true, false]]]]> : tensor<2x3x2x2xi1>
  return
}

// dynamic_gather SI
func.func @dynamic_gather_s32() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi32>
  %starts = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%operand, %starts, %sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3],
      collapsed_slice_dims = [0],
      start_index_map = [1, 0],
      index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi32>
  check.expect_eq_const %r, dense<[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]]> : tensor<2x3x2x2xi32>
  return
}

// dynamic_gather UI
func.func @dynamic_gather_u16() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xui16>
  %starts = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%operand, %starts, %sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3],
      collapsed_slice_dims = [0],
      start_index_map = [1, 0],
      index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xui16>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xui16>
  check.expect_eq_const %r, dense<[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]], [[[9, 10], [11, 12]], [[11, 12], [13, 14]], [[17, 18], [19, 20]]]]> : tensor<2x3x2x2xui16>
  return
}

// dynamic_gather F
func.func @dynamic_gather_f32() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]]> : tensor<3x4x2xf32>
  %starts = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%operand, %starts, %sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3],
      collapsed_slice_dims = [0],
      start_index_map = [1, 0],
      index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xf32>
  check.expect_eq_const %r, dense<[[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [5.0, 6.0]], [[13.0, 14.0], [15.0, 16.0]]], [[[9.0, 10.0], [11.0, 12.0]], [[11.0, 12.0], [13.0, 14.0]], [[17.0, 18.0], [19.0, 20.0]]]]> : tensor<2x3x2x2xf32>
  return
}

// dynamic_gather C
func.func @dynamic_gather_c64() {
  %operand = stablehlo.constant dense<[[[(1.0, -1.0), (2.0, -2.0)], [(3.0, -3.0), (4.0, -4.0)], [(5.0, -5.0), (6.0, -6.0)], [(7.0, -7.0), (8.0, -8.0)]], [[(9.0, -9.0), (10.0, -10.0)], [(11.0, -11.0), (12.0, -12.0)], [(13.0, -13.0), (14.0, -14.0)], [(15.0, -15.0), (16.0, -16.0)]], [[(17.0, -17.0), (18.0, -18.0)], [(19.0, -19.0), (20.0, -20.0)], [(21.0, -21.0), (22.0, -22.0)], [(23.0, -23.0), (24.0, -24.0)]]]> : tensor<3x4x2xcomplex<f32>>
  %starts = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %sizes = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%operand, %starts, %sizes) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3],
      collapsed_slice_dims = [0],
      start_index_map = [1, 0],
      index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xcomplex<f32>>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[[(1.0, -1.0), (2.0, -2.0)], [(3.0, -3.0), (4.0, -4.0)]], [[(3.0, -3.0), (4.0, -4.0)], [(5.0, -5.0), (6.0, -6.0)]], [[(13.0, -13.0), (14.0, -14.0)], [(15.0, -15.0), (16.0, -16.0)]]], [[[(9.0, -9.0), (10.0, -10.0)], [(11.0, -11.0), (12.0, -12.0)]], [[(11.0, -11.0), (12.0, -12.0)], [(13.0, -13.0), (14.0, -14.0)]], [[(17.0, -17.0), (18.0, -18.0)], [(19.0, -19.0), (20.0, -20.0)]]]]> : tensor<2x3x2x2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_gather Q
func.func @dynamic_gather_q8() {
  %at = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi64>
  %sizes = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.dynamic_gather"(%a, %at, %sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = false
  } : (tensor<2x3x!q8>, tensor<3xi64>, tensor<2xi64>) -> tensor<3x?x!q8>
  check.expect_eq_const %r, dense<[[9, -9, 13], [3, 5, 7], [9, -9, 13]]> : tensor<3x3xi8>
  return
}
