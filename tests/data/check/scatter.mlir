// scatter SI
func.func @scatter_s64() {
  %x0 = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi64>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<1> : tensor<2x2x3x2x2xi64>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  check.expect_eq_const %r, dense<[[[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]], [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]]> : tensor<2x3x4x2xi64>
  return
}

// scatter UI
func.func @scatter_u32() {
  %x0 = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26], [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xui32>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<1> : tensor<2x2x3x2x2xui32>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xui32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xui32>) -> tensor<2x3x4x2xui32>
  check.expect_eq_const %r, dense<[[[[3, 4], [6, 7], [6, 7], [7, 8]], [[9, 10], [11, 12], [15, 16], [17, 18]], [[17, 18], [19, 20], [22, 23], [24, 25]]], [[[25, 26], [28, 29], [30, 31], [31, 32]], [[35, 36], [38, 39], [38, 39], [39, 40]], [[41, 42], [44, 45], [46, 47], [47, 48]]]]> : tensor<2x3x4x2xui32>
  return
}

// scatter F
func.func @scatter_f32() {
  %x0 = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xf32>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<1.0> : tensor<2x2x3x2x2xf32>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  check.expect_eq_const %r, dense<[[[[3.0, 4.0], [6.0, 7.0], [6.0, 7.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [15.0, 16.0], [17.0, 18.0]], [[17.0, 18.0], [19.0, 20.0], [22.0, 23.0], [24.0, 25.0]]], [[[25.0, 26.0], [28.0, 29.0], [30.0, 31.0], [31.0, 32.0]], [[35.0, 36.0], [38.0, 39.0], [38.0, 39.0], [39.0, 40.0]], [[41.0, 42.0], [44.0, 45.0], [46.0, 47.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xf32>
  return
}

// scatter F
func.func @scatter_f64() {
  %x0 = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xf64>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<1.0> : tensor<2x2x3x2x2xf64>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xf64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf64>) -> tensor<2x3x4x2xf64>
  check.expect_eq_const %r, dense<[[[[3.0, 4.0], [6.0, 7.0], [6.0, 7.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [15.0, 16.0], [17.0, 18.0]], [[17.0, 18.0], [19.0, 20.0], [22.0, 23.0], [24.0, 25.0]]], [[[25.0, 26.0], [28.0, 29.0], [30.0, 31.0], [31.0, 32.0]], [[35.0, 36.0], [38.0, 39.0], [38.0, 39.0], [39.0, 40.0]], [[41.0, 42.0], [44.0, 45.0], [46.0, 47.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xf64>
  return
}

// scatter F
func.func @scatter_bf16() {
  %x0 = stablehlo.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]], [[17.0, 18.0], [19.0, 20.0], [21.0, 22.0], [23.0, 24.0]]], [[[25.0, 26.0], [27.0, 28.0], [29.0, 30.0], [31.0, 32.0]], [[33.0, 34.0], [35.0, 36.0], [37.0, 38.0], [39.0, 40.0]], [[41.0, 42.0], [43.0, 44.0], [45.0, 46.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xbf16>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<1.0> : tensor<2x2x3x2x2xbf16>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xbf16>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xbf16>) -> tensor<2x3x4x2xbf16>
  check.expect_eq_const %r, dense<[[[[3.0, 4.0], [6.0, 7.0], [6.0, 7.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0], [15.0, 16.0], [17.0, 18.0]], [[17.0, 18.0], [19.0, 20.0], [22.0, 23.0], [24.0, 25.0]]], [[[25.0, 26.0], [28.0, 29.0], [30.0, 31.0], [31.0, 32.0]], [[35.0, 36.0], [38.0, 39.0], [38.0, 39.0], [39.0, 40.0]], [[41.0, 42.0], [44.0, 45.0], [46.0, 47.0], [47.0, 48.0]]]]> : tensor<2x3x4x2xbf16>
  return
}

// scatter C
func.func @scatter_c64() {
  %x0 = stablehlo.constant dense<[[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]], [[(9.0, 0.0), (10.0, 0.0)], [(11.0, 0.0), (12.0, 0.0)], [(13.0, 0.0), (14.0, 0.0)], [(15.0, 0.0), (16.0, 0.0)]], [[(17.0, 0.0), (18.0, 0.0)], [(19.0, 0.0), (20.0, 0.0)], [(21.0, 0.0), (22.0, 0.0)], [(23.0, 0.0), (24.0, 0.0)]]], [[[(25.0, 0.0), (26.0, 0.0)], [(27.0, 0.0), (28.0, 0.0)], [(29.0, 0.0), (30.0, 0.0)], [(31.0, 0.0), (32.0, 0.0)]], [[(33.0, 0.0), (34.0, 0.0)], [(35.0, 0.0), (36.0, 0.0)], [(37.0, 0.0), (38.0, 0.0)], [(39.0, 0.0), (40.0, 0.0)]], [[(41.0, 0.0), (42.0, 0.0)], [(43.0, 0.0), (44.0, 0.0)], [(45.0, 0.0), (46.0, 0.0)], [(47.0, 0.0), (48.0, 0.0)]]]]> : tensor<2x3x4x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %x2 = stablehlo.constant dense<(1.0, 0.0)> : tensor<2x2x3x2x2xcomplex<f32>>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xcomplex<f32>>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xcomplex<f32>>) -> tensor<2x3x4x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[[(3.0, 0.0), (4.0, 0.0)], [(6.0, 0.0), (7.0, 0.0)], [(6.0, 0.0), (7.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]], [[(9.0, 0.0), (10.0, 0.0)], [(11.0, 0.0), (12.0, 0.0)], [(15.0, 0.0), (16.0, 0.0)], [(17.0, 0.0), (18.0, 0.0)]], [[(17.0, 0.0), (18.0, 0.0)], [(19.0, 0.0), (20.0, 0.0)], [(22.0, 0.0), (23.0, 0.0)], [(24.0, 0.0), (25.0, 0.0)]]], [[[(25.0, 0.0), (26.0, 0.0)], [(28.0, 0.0), (29.0, 0.0)], [(30.0, 0.0), (31.0, 0.0)], [(31.0, 0.0), (32.0, 0.0)]], [[(35.0, 0.0), (36.0, 0.0)], [(38.0, 0.0), (39.0, 0.0)], [(38.0, 0.0), (39.0, 0.0)], [(39.0, 0.0), (40.0, 0.0)]], [[(41.0, 0.0), (42.0, 0.0)], [(44.0, 0.0), (45.0, 0.0)], [(46.0, 0.0), (47.0, 0.0)], [(47.0, 0.0), (48.0, 0.0)]]]]> : tensor<2x3x4x2xcomplex<f32>>
  return
}

// scatter B: scatter i1
func.func @scatter_pred() {
  %x0 = stablehlo.constant dense<[false, false, true]> : tensor<3xi1>
  %x1 = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// scatter F: scatter one update at 1
func.func @scatter_f32_2() {
  %x0 = stablehlo.constant dense<0.0> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<5.0> : tensor<f32>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf32>, tensor<1xi32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[0.0, 5.0, 0.0]> : tensor<3xf32>
  return
}

// scatter F: scatter one update at 7
func.func @scatter_f32_3() {
  %x0 = stablehlo.constant dense<0.0> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[7]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<5.0> : tensor<f32>
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf32>, tensor<1xi32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<0.0> : tensor<3xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// scatter Q
func.func @scatter_q8() {
  %at = stablehlo.constant dense<[1]> : tensor<1xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %u_real = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %u = stablehlo.uniform_quantize %u_real : (tensor<1x3xf32>) -> tensor<1x3x!q8>
  %r = "stablehlo.scatter"(%a, %at, %u) ({
  ^bb0(%old: tensor<!q8>, %new: tensor<!q8>):
    %sum = stablehlo.add %old, %new : tensor<!q8>
    stablehlo.return %sum : tensor<!q8>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<2x3x!q8>, tensor<1xi64>, tensor<1x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [11, -5, 19]]> : tensor<2x3xi8>
  return
}
