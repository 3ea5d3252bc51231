module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x1x7xf64>, %arg1: tensor<4x1xf32>, %arg2: tensor<1xi32>, %arg3: tensor<f32>, %arg4: tensor<f32>) -> (tensor<2x1x1xf64> {jax.result_info = "result[0]"}, tensor<8x1x7xf64> {jax.result_info = "result[1]"}, tensor<4x1xf32> {jax.result_info = "result[2]"}, tensor<2x2x2xf64> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<[[[3], [6]], [[4], [1]], [[0], [0]]]> : tensor<3x2x1xui8>
    %cst = stablehlo.constant dense<[[[[3.000000e+00, -2.250000e+00], [7.500000e-01, -5.000000e-01], [-1.500000e+00, -5.000000e-01]]], [[[2.250000e+00, 7.500000e-01], [3.000000e+00, 7.500000e-01], [7.500000e-01, 3.000000e+00]]], [[[7.500000e-01, 7.500000e-01], [3.000000e+00, 0.000000e+00], [-1.000000e+00, -2.250000e+00]]], [[[-7.500000e-01, -2.750000e+00], [-2.250000e+00, 2.000000e+00], [-2.500000e-01, -1.500000e+00]]], [[[1.750000e+00, 1.500000e+00], [1.000000e+00, -1.000000e+00], [-1.750000e+00, 2.000000e+00]]], [[[3.000000e+00, -1.500000e+00], [-1.500000e+00, -2.750000e+00], [2.500000e-01, -2.500000e+00]]], [[[2.250000e+00, 1.250000e+00], [0.000000e+00, 1.250000e+00], [0.000000e+00, -1.750000e+00]]], [[[-2.000000e+00, 2.250000e+00], [1.000000e+00, -2.250000e+00], [-2.250000e+00, 2.500000e+00]]]]> : tensor<8x1x3x2xf64>
    %0 = stablehlo.slice %arg0 [0:8, 0:1, 0:1:2] : (tensor<8x1x7xf64>) -> tensor<8x1x1xf64>
    %c_0 = stablehlo.constant dense<6> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<255> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.minimum %c_0, %1 : tensor<1xi32>
    %3 = stablehlo.convert %2 : (tensor<1xi32>) -> tensor<1xui8>
    %4 = stablehlo.broadcast_in_dim %3, dims = [2] : (tensor<1xui8>) -> tensor<3x2x1xui8>
    %c_2 = stablehlo.constant dense<0> : tensor<ui8>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui8>) -> tensor<3x2x1xui8>
    %6 = stablehlo.clamp %5, %c, %4 : tensor<3x2x1xui8>
    %7 = "stablehlo.scatter"(%arg0, %6, %cst) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %17 = stablehlo.minimum %arg5, %arg6 : tensor<f64>
      stablehlo.return %17 : tensor<f64>
    }) : (tensor<8x1x7xf64>, tensor<3x2x1xui8>, tensor<8x1x3x2xf64>) -> tensor<8x1x7xf64>
    %8 = stablehlo.reshape %0 : (tensor<8x1x1xf64>) -> tensor<2x2x2xf64>
    %9 = stablehlo.slice %8 [0:2, 0:1, 1:2] : (tensor<2x2x2xf64>) -> tensor<2x1x1xf64>
    %10 = stablehlo.exponential_minus_one %arg1 : tensor<4x1xf32>
    %11 = stablehlo.subtract %arg0, %arg0 : tensor<8x1x7xf64>
    %12 = stablehlo.add %11, %7 : tensor<8x1x7xf64>
    %13 = "stablehlo.gather"(%10, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x1xf32>, tensor<1xi32>) -> tensor<4x1xf32>
    %14 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %16 = stablehlo.clamp %14, %13, %15 : tensor<4x1xf32>
    return %9, %12, %16, %8 : tensor<2x1x1xf64>, tensor<8x1x7xf64>, tensor<4x1xf32>, tensor<2x2x2xf64>
  }
}
