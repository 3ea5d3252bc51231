module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x4x8xf32>) -> (tensor<1x4x4x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.11176217, 0.861287474, 0.957342863, 0.919641256, 1.06014276, 0.992500662, 1.00596929, 0.996799409]> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<[-0.0185484681, 0.120477371, 0.0777453109, -0.135828108, 0.0769827887, -0.0870226994, 0.109976351, -0.0958474203]> : tensor<8xf32>
    %0 = stablehlo.reshape %arg0 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<1x4x4x2x4xf32>, tensor<f32>) -> tensor<1x2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x1x1x2x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1x1x2x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1x1x1x2x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x2x1xf32>) -> tensor<1x4x4x2x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<1x4x4x2x4xf32>
    %7 = chlo.square %6 : tensor<1x4x4x2x4xf32> -> tensor<1x4x4x2x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<1x4x4x2x4xf32>, tensor<f32>) -> tensor<1x2xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 3] : (tensor<1x2xf32>) -> tensor<1x1x1x2x1xf32>
    %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x1x1x2x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<1x1x1x2x1xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x2x1xf32>) -> tensor<1x4x4x2x4xf32>
    %13 = stablehlo.subtract %0, %12 : tensor<1x4x4x2x4xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x1x2x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<1x1x1x2x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<1x1x1x2x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x2x1xf32>) -> tensor<1x4x4x2x4xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<1x4x4x2x4xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x4x4x2x4xf32>) -> tensor<1x4x4x8xf32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<1x4x4x8xf32>
    %23 = stablehlo.broadcast_in_dim %cst_0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32>
    %25 = stablehlo.add %22, %24 : tensor<1x4x4x8xf32>
    return %25 : tensor<1x4x4x8xf32>
  }
}
