module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x2xf64>, %arg1: tensor<8x2x3xf64>, %arg2: tensor<2x2x3x2xf64>, %arg3: tensor<17x3x4xf64>, %arg4: tensor<2x3x3x5xf32>, %arg5: tensor<3x1x1x3xf32>, %arg6: tensor<6x2x1x3xf32>) -> (tensor<8x2x3xf64> {jax.result_info = "result[0]"}, tensor<1x2x2x8xf64> {jax.result_info = "result[1]"}, tensor<17x3x4xf64> {jax.result_info = "result[2]"}, tensor<6x2x1x3xf32> {jax.result_info = "result[3]"}, tensor<8x2x2x3xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[-1.250000e+00, 2.500000e-01, -2.500000e+00, 2.250000e+00, -2.250000e+00, -3.000000e+00, -2.000000e+00, -1.7976931348623157E+308], [0.000000e+00, -5.000000e-01, -1.250000e+00, 1.000000e+00, 1.000000e+00, 1.500000e+00, -1.500000e+00, 3.000000e+00]]> : tensor<2x8xf64>
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<8x2x2xf64>) -> tensor<8x2x2x3xf64>
    %1 = stablehlo.dot_general %0, %cst, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2x2x3xf64>, tensor<2x8xf64>) -> tensor<8x2x3xf64>
    %2 = stablehlo.abs %1 : tensor<8x2x3xf64>
    %3 = stablehlo.minimum %2, %arg1 : tensor<8x2x3xf64>
    %4 = stablehlo.convolution(%0, %arg2) dim_numbers = [b, 1, 0, f]x[o, 0, i, 1]->[0, f, 1, b], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x2x2x3xf64>, tensor<2x2x3x2xf64>) -> tensor<1x2x2x8xf64>
    %5 = chlo.erfc %arg3 : tensor<17x3x4xf64> -> tensor<17x3x4xf64>
    %6 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [b, 1, f, 0]x[i, 1, o, 0]->[0, b, f, 1], window = {stride = [1, 1], pad = [[1, 2], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x3x5xf32>, tensor<3x1x1x3xf32>) -> tensor<6x2x1x3xf32>
    %7 = stablehlo.bitcast_convert %6 : (tensor<6x2x1x3xf32>) -> tensor<6x2x1x3xf32>
    %8 = stablehlo.multiply %7, %arg6 : tensor<6x2x1x3xf32>
    return %3, %4, %5, %8, %0 : tensor<8x2x3xf64>, tensor<1x2x2x8xf64>, tensor<17x3x4xf64>, tensor<6x2x1x3xf32>, tensor<8x2x2x3xf64>
  }
}
