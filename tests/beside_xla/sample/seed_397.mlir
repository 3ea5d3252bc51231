module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x17xf16>, %arg1: tensor<2xf16>, %arg2: tensor<2xui64>, %arg3: tensor<1x1xui32>, %arg4: tensor<f32>) -> (tensor<1x1xui32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}, tensor<2x17xf16> {jax.result_info = "result[2]"}, tensor<2x17xf16> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x17xf16>
    %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2xf16>, tensor<2x17xf16>) -> tensor<17xf32>
    %2 = stablehlo.sine %1 : tensor<17xf32>
    %output_state, %output = stablehlo.rng_bit_generator %arg2, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x2xui32>)
    %3 = stablehlo.slice %output [0:1:2, 0:2:2] : (tensor<7x2xui32>) -> tensor<1x1xui32>
    %4 = stablehlo.subtract %3, %arg3 : tensor<1x1xui32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:4 = stablehlo.while(%iterArg = %arg4, %iterArg_0 = %c, %iterArg_1 = %arg0, %iterArg_2 = %0) : tensor<f32>, tensor<i32>, tensor<2x17xf16>, tensor<2x17xf16>
    cond {
      %7 = stablehlo.reshape %iterArg_1 : (tensor<2x17xf16>) -> tensor<34xf16>
      %8 = stablehlo.slice %7 [0:1] : (tensor<34xf16>) -> tensor<1xf16>
      %9 = stablehlo.reshape %8 : (tensor<1xf16>) -> tensor<f16>
      %c_3 = stablehlo.constant dense<3> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_0, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<f16>
      %12 = stablehlo.compare LT, %9, %11, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %13 = stablehlo.and %10, %12 : tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      %8 = func.call @_roll_static(%iterArg_2) : (tensor<2x17xf16>) -> tensor<2x17xf16>
      %9 = stablehlo.maximum %iterArg_1, %iterArg_2 : tensor<2x17xf16>
      stablehlo.return %iterArg, %7, %8, %9 : tensor<f32>, tensor<i32>, tensor<2x17xf16>, tensor<2x17xf16>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<17xf32>, tensor<f32>) -> tensor<f32>
    return %4, %5#1, %5#2, %5#3, %6 : tensor<1x1xui32>, tensor<i32>, tensor<2x17xf16>, tensor<2x17xf16>, tensor<f32>
  }
  func.func private @_roll_static(%arg0: tensor<2x17xf16>) -> tensor<2x17xf16> {
    %0 = stablehlo.slice %arg0 [1:2, 0:17] : (tensor<2x17xf16>) -> tensor<1x17xf16>
    %1 = stablehlo.slice %arg0 [0:1, 0:17] : (tensor<2x17xf16>) -> tensor<1x17xf16>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x17xf16>, tensor<1x17xf16>) -> tensor<2x17xf16>
    return %2 : tensor<2x17xf16>
  }
}
