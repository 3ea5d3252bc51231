module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x20xf32>) -> (tensor<3x20xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.707106769> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x20xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<3x20xf32>
    %2 = chlo.erf %1 : tensor<3x20xf32> -> tensor<3x20xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x20xf32>
    %4 = stablehlo.add %2, %3 : tensor<3x20xf32>
    %5 = stablehlo.multiply %arg0, %4 : tensor<3x20xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x20xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<3x20xf32>
    return %7 : tensor<3x20xf32>
  }
}
