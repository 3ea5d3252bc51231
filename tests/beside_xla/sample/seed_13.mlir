module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x1x2x5xbf16>, %arg1: tensor<1xi32>, %arg2: tensor<3x7x2xbf16>, %arg3: tensor<1x3x7xbf16>, %arg4: tensor<2xui64>) -> (tensor<1xi32> {jax.result_info = "result[0]"}, tensor<3x4x3x4xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<2x1xi1> {jax.result_info = "result[2]"}, tensor<2xui64> {jax.result_info = "result[3]"}, tensor<2x2xui32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 2, 1, 2, 2>, padding = dense<[[0, 0], [2, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 2, 1, 1, 1>, window_dimensions = array<i64: 3, 1, 1, 3>, window_strides = array<i64: 1, 1, 1, 2>}> ({
    ^bb0(%arg5: tensor<bf16>, %arg6: tensor<bf16>):
      %9 = stablehlo.add %arg5, %arg6 : tensor<bf16>
      stablehlo.return %9 : tensor<bf16>
    }) : (tensor<4x1x2x5xbf16>, tensor<bf16>) -> tensor<3x4x3x4xbf16>
    %2 = call @cummin(%arg1) : (tensor<1xi32>) -> tensor<1xi32>
    %3 = stablehlo.minimum %2, %arg1 : tensor<1xi32>
    %4 = stablehlo.convert %1 : (tensor<3x4x3x4xbf16>) -> tensor<3x4x3x4xcomplex<f64>>
    %5 = stablehlo.tanh %arg2 : tensor<3x7x2xbf16>
    %6 = stablehlo.dot_general %arg3, %5, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x3x7xbf16>, tensor<3x7x2xbf16>) -> tensor<1x2xf32>
    %7 = stablehlo.is_finite %6 : (tensor<1x2xf32>) -> tensor<1x2xi1>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<1x2xi1>) -> tensor<2x1xi1>
    %output_state, %output = stablehlo.rng_bit_generator %arg4, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui32>)
    return %3, %4, %8, %output_state, %output : tensor<1xi32>, tensor<3x4x3x4xcomplex<f64>>, tensor<2x1xi1>, tensor<2xui64>, tensor<2x2xui32>
  }
  func.func private @cummin(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }
}
