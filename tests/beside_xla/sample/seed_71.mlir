module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<1x1x1x6xf32>, %arg2: tensor<1x2x2x3xf32>, %arg3: tensor<i32>, %arg4: tensor<6x1xf32>, %arg5: tensor<1xf32>) -> (tensor<3x1xf32> {jax.result_info = "result[0]"}, tensor<2x1x0x2xf32> {jax.result_info = "result[1]"}, tensor<9x1xf32> {jax.result_info = "result[2]"}, tensor<3x1xi1> {jax.result_info = "result[3]"}, tensor<2x1x0x2xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[2.000000e+00], [2.500000e+00], [-1.250000e+00], [-1.750000e+00], [-7.500000e-01], [-5.000000e-01], [1.000000e+00], [-1.000000e+00], [-3.000000e+00]]> : tensor<9x1xf32>
    %0 = call @cumprod(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
    %1 = stablehlo.reshape %0 : (tensor<3xf32>) -> tensor<3x1xf32>
    %2 = stablehlo.convolution(%arg1, %arg2) dim_numbers = [1, b, f, 0]x[i, o, 1, 0]->[f, b, 1, 0], window = {stride = [2, 2], pad = [[0, -1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x6xf32>, tensor<1x2x2x3xf32>) -> tensor<2x1x0x2xf32>
    %3 = stablehlo.sign %2 : tensor<2x1x0x2xf32>
    %4 = call @cumlogsumexp(%cst) : (tensor<9x1xf32>) -> tensor<9x1xf32>
    %c = stablehlo.constant dense<10> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %c, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<10> : tensor<i32>
    %c_2 = stablehlo.constant dense<9> : tensor<i32>
    %6 = stablehlo.add %c_1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<10> : tensor<i32>
    %7 = stablehlo.select %5, %6, %c_3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %arg3, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.add %arg3, %c_5 : tensor<i32>
    %10 = stablehlo.select %8, %9, %arg3 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_update_slice %4, %arg4, %7, %10 : (tensor<9x1xf32>, tensor<6x1xf32>, tensor<i32>, tensor<i32>) -> tensor<9x1xf32>
    %12 = stablehlo.dot_general %0, %arg5, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<1xf32>) -> tensor<3x1xf32>
    %13 = stablehlo.abs %12 : tensor<3x1xf32>
    %cst_6 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %15 = stablehlo.compare EQ, %13, %14, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    return %1, %3, %11, %15, %2 : tensor<3x1xf32>, tensor<2x1x0x2xf32>, tensor<9x1xf32>, tensor<3x1xi1>, tensor<2x1x0x2xf32>
  }
  func.func private @cumprod(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<9x1xf32>) -> tensor<9x1xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<9x1xf32>, tensor<f32>) -> tensor<9x1xf32>
    return %0 : tensor<9x1xf32>
  }
}
