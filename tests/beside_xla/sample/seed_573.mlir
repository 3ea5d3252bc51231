module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x16xf16>, %arg1: tensor<1x2x3xf16>, %arg2: tensor<f16>, %arg3: tensor<1x1x2x2xf16>, %arg4: tensor<1x9x2x2xf16>) -> (tensor<30x5x3xf16> {jax.result_info = "result[0]"}, tensor<1x16xf16> {jax.result_info = "result[1]"}, tensor<1x1x2x2xf16> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[[[[6.250000e-01, 2.187500e-01], [8.125000e-01, -8.750000e-01]], [[-1.859380e+00, -3.750000e-01], [-7.031250e-01, 3.125000e-02]], [[-6.562500e-01, 2.968750e-01], [0x7E00, -1.453130e+00]], [[6.718750e-01, 1.421880e+00], [-1.234380e+00, 8.125000e-01]], [[1.562500e-02, 4.062500e-01], [2.328130e+00, -4.687500e-02]], [[3.437500e-01, -1.984380e+00], [-3.906250e-01, 7.812500e-01]], [[-4.218750e-01, -1.015630e+00], [-7.343750e-01, -9.843750e-01]], [[2.656250e-01, 9.687500e-01], [-7.343750e-01, 5.312500e-01]], [[1.781250e+00, 7.187500e-01], [1.171880e+00, -8.437500e-01]]]]> : tensor<1x9x2x2xf16>
    %0 = stablehlo.sign %arg0 : tensor<5x1x16xf16>
    %1 = call @cummax(%0) : (tensor<5x1x16xf16>) -> tensor<5x1x16xf16>
    %2 = stablehlo.convolution(%1, %arg1) dim_numbers = [b, f, 0]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<5x1x16xf16>, tensor<1x2x3xf16>) -> tensor<30x5x3xf16>
    %3 = stablehlo.reduce(%1 init: %arg2) applies stablehlo.minimum across dimensions = [0] : (tensor<5x1x16xf16>, tensor<f16>) -> tensor<1x16xf16>
    %4 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x2x2xf16>, tensor<1x9x2x2xf16>) -> tensor<1x2x1x9xf16>
    %cst_0 = stablehlo.constant dense<7.070310e-01> : tensor<f16>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<1x2x1x9xf16>
    %6 = stablehlo.multiply %4, %5 : tensor<1x2x1x9xf16>
    %cst_1 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x1x9xf16>, tensor<f16>) -> tensor<1x2x1xf16>
    %cst_2 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<1x2x1xf16>
    %9 = stablehlo.maximum %8, %7 : tensor<1x2x1xf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x2x1xf16>) -> tensor<1x2x1x1xf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x1x1xf16>) -> tensor<1x2x1x9xf16>
    %12 = stablehlo.subtract %6, %11 : tensor<1x2x1x9xf16>
    %13 = stablehlo.exponential %12 : tensor<1x2x1x9xf16>
    %14 = stablehlo.convert %13 : (tensor<1x2x1x9xf16>) -> tensor<1x2x1x9xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x1x9xf32>, tensor<f32>) -> tensor<1x2x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x2x1xf32>) -> tensor<1x2x1x1xf32>
    %17 = stablehlo.convert %16 : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf16>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x1x1xf16>) -> tensor<1x2x1x9xf16>
    %19 = stablehlo.divide %13, %18 : tensor<1x2x1x9xf16>
    %20 = stablehlo.dot_general %cst, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x9x2x2xf16>, tensor<1x2x1x9xf16>) -> tensor<1x2x2x1xf16>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<1x2x2x1xf16>) -> tensor<1x1x2x2xf16>
    return %2, %3, %21 : tensor<30x5x3xf16>, tensor<1x16xf16>, tensor<1x1x2x2xf16>
  }
  func.func private @cummax(%arg0: tensor<5x1x16xf16>) -> tensor<5x1x16xf16> {
    %cst = stablehlo.constant dense<0xFC00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<f16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [15, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 16>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<f16>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f16>
      stablehlo.return %2 : tensor<f16>
    }) : (tensor<5x1x16xf16>, tensor<f16>) -> tensor<5x1x16xf16>
    return %1 : tensor<5x1x16xf16>
  }
}
