module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x24xf32>) -> (tensor<5x24xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.11176217, 0.861287474, 0.957342863, 0.919641256, 1.06014276, 0.992500662, 1.00596929, 0.996799409, 0.981451511, 1.12047732, 1.07774532, 0.864171862, 1.07698274, 0.912977278, 1.10997629, 0.904152572, 0.872506797, 0.863466203, 0.852567255, 1.0433532, 0.967187941, 0.902903199, 1.1265502, 1.00037634]> : tensor<24xf32>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<5x24xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x24xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_1 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<5x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<5x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x24xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<5x24xf32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<5x24xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<5x24xf32>
    return %12 : tensor<5x24xf32>
  }
}
