module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x2x4xf16>, %arg1: tensor<3x2x8x1xf64>, %arg2: tensor<6x4x2xf32>, %arg3: tensor<3x2x3xf32>) -> (tensor<3x9x2xi32> {jax.result_info = "result[0]"}, tensor<4x2x4xf16> {jax.result_info = "result[1]"}, tensor<4x4x3xf64> {jax.result_info = "result[2]"}, tensor<2x3x2xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[[-1.500000e+00, 2.750000e+00], [-1.750000e+00, 2.250000e+00], [-2.750000e+00, -1.500000e+00], [1.500000e+00, -2.750000e+00], [-2.750000e+00, 2.750000e+00], [1.250000e+00, 2.500000e+00], [1.250000e+00, -2.000000e+00], [1.250000e+00, -2.500000e+00], [2.500000e-01, 2.000000e+00]], [[-1.750000e+00, -5.000000e-01], [0.000000e+00, 7.500000e-01], [-2.000000e+00, -7.500000e-01], [-5.000000e-01, -1.750000e+00], [1.250000e+00, 7.500000e-01], [-2.000000e+00, 3.000000e+00], [2.500000e-01, 3.000000e+00], [1.500000e+00, -7.500000e-01], [5.000000e-01, 1.750000e+00]], [[0.000000e+00, -3.000000e+00], [-1.250000e+00, -1.000000e+00], [1.250000e+00, -1.500000e+00], [1.750000e+00, 2.500000e-01], [-2.750000e+00, -5.000000e-01], [2.500000e+00, -7.500000e-01], [-7.500000e-01, 1.000000e+00], [-2.250000e+00, -1.000000e+00], [-2.500000e-01, -1.500000e+00]]]> : tensor<3x9x2xf16>
    %0 = stablehlo.convert %cst : (tensor<3x9x2xf16>) -> tensor<3x9x2xi32>
    %1 = stablehlo.cbrt %arg0 : tensor<4x2x4xf16>
    %2 = stablehlo.reshape %arg1 : (tensor<3x2x8x1xf64>) -> tensor<4x4x3xf64>
    %3 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [f, 0, b]x[0, i, o]->[0, f, b], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<6x4x2xf32>, tensor<3x2x3xf32>) -> tensor<2x3x2xf32>
    %4 = stablehlo.reverse %3, dims = [2] : tensor<2x3x2xf32>
    return %0, %1, %2, %4 : tensor<3x9x2xi32>, tensor<4x2x4xf16>, tensor<4x4x3xf64>, tensor<2x3x2xf32>
  }
}
