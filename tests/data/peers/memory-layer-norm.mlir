module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x24xf32>) -> (tensor<5x24xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.11176217, 0.861287474, 0.957342863, 0.919641256, 1.06014276, 0.992500662, 1.00596929, 0.996799409, 0.981451511, 1.12047732, 1.07774532, 0.864171862, 1.07698274, 0.912977278, 1.10997629, 0.904152572, 0.872506797, 0.863466203, 0.852567255, 1.0433532, 0.967187941, 0.902903199, 1.1265502, 1.00037634]> : tensor<24xf32>
    %cst_0 = stablehlo.constant dense<[-0.106654122, 0.172889873, -0.0451382287, 0.004862817, -0.113824062, -0.0338293277, -1.529740e-01, 0.0204066988, -0.00536706392, -0.0906851962, -0.0021076405, -0.124412775, 0.00832168757, -0.0247116052, 0.131458923, 9.204950e-02, -0.0228772573, -0.0030402618, 7.35633424E-4, -0.0164132249, -0.00150977646, 0.122743703, 0.10408067, 0.0679934472]> : tensor<24xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<5x24xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_2 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x24xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<5x24xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<5x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<5x24xf32>, tensor<f32>) -> tensor<5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_4 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<5x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<5x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x24xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<5x24xf32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<5x24xf32>
    %18 = stablehlo.multiply %15, %17 : tensor<5x24xf32>
    %19 = stablehlo.broadcast_in_dim %cst_0, dims = [1] : (tensor<24xf32>) -> tensor<1x24xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x24xf32>) -> tensor<5x24xf32>
    %21 = stablehlo.add %18, %20 : tensor<5x24xf32>
    return %21 : tensor<5x24xf32>
  }
}
