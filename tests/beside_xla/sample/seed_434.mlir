module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x8x17xi32>, %arg1: tensor<1x8x17xi32>, %arg2: tensor<4x9xi16>, %arg3: tensor<2x1x4xf64>, %arg4: tensor<i32>, %arg5: tensor<4x9xi16>) -> (tensor<1x8x17xi1> {jax.result_info = "result[0]"}, tensor<2x1x4xf64> {jax.result_info = "result[1]"}, tensor<4x9xi16> {jax.result_info = "result[2]"}, tensor<4x9xi16> {jax.result_info = "result[3]"}, tensor<2x1x4xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[5.000000e-01, 0.000000e+00, 2.000000e+00, 3.000000e+00]], [[0.000000e+00, 5.000000e-01, 0.000000e+00, 1.750000e+00]]]> : tensor<2x1x4xf64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1x1x8x17xi32>, tensor<i32>) -> tensor<1x8x17xi32>
    %1 = stablehlo.compare GT, %0, %arg1, SIGNED : (tensor<1x8x17xi32>, tensor<1x8x17xi32>) -> tensor<1x8x17xi1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x1x4xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x1x4xf64>
    %4 = stablehlo.divide %3, %cst : tensor<2x1x4xf64>
    %5 = stablehlo.divide %2, %4 : tensor<2x1x4xf64>
    %6 = stablehlo.divide %5, %arg3 : tensor<2x1x4xf64>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.clamp %c_2, %arg4, %c_3 : tensor<i32>
    %8:2 = "stablehlo.case"(%7) ({
      stablehlo.return %arg2, %arg5 : tensor<4x9xi16>, tensor<4x9xi16>
    }, {
      stablehlo.return %arg5, %arg2 : tensor<4x9xi16>, tensor<4x9xi16>
    }, {
      %c_4 = stablehlo.constant dense<1> : tensor<i16>
      %10 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i16>) -> tensor<4x9xi16>
      %11 = stablehlo.xor %arg2, %10 : tensor<4x9xi16>
      %12 = stablehlo.add %11, %arg5 : tensor<4x9xi16>
      stablehlo.return %arg5, %12 : tensor<4x9xi16>, tensor<4x9xi16>
    }) : (tensor<i32>) -> (tensor<4x9xi16>, tensor<4x9xi16>)
    %9 = stablehlo.remainder %cst, %5 : tensor<2x1x4xf64>
    return %1, %6, %8#0, %8#1, %9 : tensor<1x8x17xi1>, tensor<2x1x4xf64>, tensor<4x9xi16>, tensor<4x9xi16>, tensor<2x1x4xf64>
  }
}
