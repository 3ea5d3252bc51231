module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x7x5xf64>, %arg1: tensor<4x7x5xf64>, %arg2: tensor<9x2x4xf32>, %arg3: tensor<9x2x4xf32>, %arg4: tensor<2x3x3xf32>, %arg5: tensor<4x7x5xf64>, %arg6: tensor<2x2x8x5xi16>, %arg7: tensor<9x1x3x7xf32>, %arg8: tensor<3x1x3x1xf32>) -> (tensor<1x1x2x8xf64> {jax.result_info = "result[0]"}, tensor<9x3x5xf32> {jax.result_info = "result[1]"}, tensor<4x7x5xf64> {jax.result_info = "result[2]"}, tensor<2x2x8x5xi16> {jax.result_info = "result[3]"}, tensor<3x7x1x3xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[[2.000000e+00, 2.750000e+00, 0.000000e+00, -1.000000e+00, -3.000000e+00, 5.000000e-01, -3.000000e+00, 1.000000e+00], [2.250000e+00, 7.500000e-01, 2.000000e+00, 1.250000e+00, 1.500000e+00, 2.750000e+00, 1.500000e+00, -7.500000e-01]]]]> : tensor<1x1x2x8xf64>
    %c = stablehlo.constant dense<[0, 0, -1]> : tensor<3xi32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x7x5xf64>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x7x5xf64>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4x7x5xf64>
    %3 = stablehlo.divide %1, %2 : tensor<4x7x5xf64>
    %4 = stablehlo.reshape %arg2 : (tensor<9x2x4xf32>) -> tensor<18x4xf32>
    %5:2 = call @_take(%arg2, %c) : (tensor<9x2x4xf32>, tensor<3xi32>) -> (tensor<9x2x3xf32>, tensor<3x1xi32>)
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9x2x3xf32>
    %7 = stablehlo.multiply %5#0, %6 : tensor<9x2x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x2x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9x2x3xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9x2x3xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<9x2x3xf32>
    %12 = call @_take_0(%5#1, %11) : (tensor<3x1xi32>, tensor<9x2x3xf32>) -> tensor<9x2x4xf32>
    %13 = stablehlo.round_nearest_afz %12 : tensor<9x2x4xf32>
    %14 = chlo.erf %cst : tensor<1x1x2x8xf64> -> tensor<1x1x2x8xf64>
    %15 = stablehlo.convolution(%13, %arg4) dim_numbers = [b, f, 0]x[i, 0, o]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<9x2x4xf32>, tensor<2x3x3xf32>) -> tensor<9x3x5xf32>
    %16 = stablehlo.multiply %3, %arg5 : tensor<4x7x5xf64>
    %17 = stablehlo.add %16, %3 : tensor<4x7x5xf64>
    %18 = stablehlo.count_leading_zeros %arg6 : tensor<2x2x8x5xi16>
    %19 = stablehlo.convolution(%arg7, %arg8) dim_numbers = [f, b, 1, 0]x[i, 0, o, 1]->[1, 0, b, f], window = {stride = [1, 2], pad = [[-1, 1], [-1, 1]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<9x1x3x7xf32>, tensor<3x1x3x1xf32>) -> tensor<3x7x1x3xf32>
    return %14, %15, %17, %18, %19 : tensor<1x1x2x8xf64>, tensor<9x3x5xf32>, tensor<4x7x5xf64>, tensor<2x2x8x5xi16>, tensor<3x7x1x3xf32>
  }
  func.func private @_take(%arg0: tensor<9x2x4xf32>, %arg1: tensor<3xi32>) -> (tensor<9x2x3xf32>, tensor<3x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 9, 2, 1>}> : (tensor<9x2x4xf32>, tensor<3x1xi32>) -> tensor<9x2x3xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [2] : (tensor<3xi1>) -> tensor<9x2x3xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x2x3xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<9x2x3xi1>, tensor<9x2x3xf32>
    return %16, %5 : tensor<9x2x3xf32>, tensor<3x1xi32>
  }
  func.func private @_where(%arg0: tensor<3xi1>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @_take_0(%arg0: tensor<3x1xi32>, %arg1: tensor<9x2x3xf32>) -> tensor<9x2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x2x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x2x4xf32>, tensor<3x1xi32>, tensor<9x2x3xf32>) -> tensor<9x2x4xf32>
    return %1 : tensor<9x2x4xf32>
  }
}
