module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<37xf32>) -> (tensor<37xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<37xf32>
    %2 = stablehlo.exponential %1 : tensor<37xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<37xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<37xf32>
    %5 = stablehlo.tanh %4 : tensor<37xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<37xf32>
    %7 = stablehlo.add %5, %6 : tensor<37xf32>
    return %7 : tensor<37xf32>
  }
}
