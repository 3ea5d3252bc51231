module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<130xf64>, %arg1: tensor<5x17xf64>, %arg2: tensor<2x2xf64>, %arg3: tensor<2x9x8xf64>) -> (tensor<2x2x2xi32> {jax.result_info = "result[0]"}, tensor<130xf64> {jax.result_info = "result[1]"}, tensor<85xf64> {jax.result_info = "result[2]"}, tensor<1x3xf64> {jax.result_info = "result[3]"}, tensor<9x8xf64> {jax.result_info = "result[4]"}, tensor<2xf64> {jax.result_info = "result[5]"}) {
    %0 = call @cumsum(%arg0) : (tensor<130xf64>) -> tensor<130xf64>
    %1 = stablehlo.power %arg0, %0 : tensor<130xf64>
    %2 = stablehlo.bitcast_convert %arg2 : (tensor<2x2xf64>) -> tensor<2x2x2xi32>
    %3 = stablehlo.reduce_precision %1, format = e6m9 : tensor<130xf64>
    %4 = stablehlo.reshape %arg1 : (tensor<5x17xf64>) -> tensor<85xf64>
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %6 = "stablehlo.reduce_window"(%arg2, %5) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %13 = stablehlo.minimum %arg4, %arg5 : tensor<f64>
      stablehlo.return %13 : tensor<f64>
    }) : (tensor<2x2xf64>, tensor<f64>) -> tensor<1x3xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x3xf64>
    %8 = stablehlo.multiply %6, %7 : tensor<1x3xf64>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<1x3xf64>
    %10 = stablehlo.divide %8, %9 : tensor<1x3xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.reduce(%arg2 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
    %12 = stablehlo.dot_general %11, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2xf64>, tensor<2x9x8xf64>) -> tensor<9x8xf64>
    return %2, %3, %4, %10, %12, %11 : tensor<2x2x2xi32>, tensor<130xf64>, tensor<85xf64>, tensor<1x3xf64>, tensor<9x8xf64>, tensor<2xf64>
  }
  func.func private @cumsum(%arg0: tensor<130xf64>) -> tensor<130xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[129, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 130>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<130xf64>, tensor<f64>) -> tensor<130xf64>
    return %1 : tensor<130xf64>
  }
}
