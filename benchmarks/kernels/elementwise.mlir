module @jit_elementwise attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4194304xf32>, %arg1: tensor<4194304xf32>) -> (tensor<4194304xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4194304xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %2 = stablehlo.add %0, %1 : tensor<4194304xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<4194304xf32>
    %5 = stablehlo.maximum %2, %4 : tensor<4194304xf32>
    %6 = stablehlo.multiply %arg1, %arg1 : tensor<4194304xf32>
    %7 = stablehlo.subtract %5, %6 : tensor<4194304xf32>
    %8 = stablehlo.abs %7 : tensor<4194304xf32>
    %9 = stablehlo.sqrt %8 : tensor<4194304xf32>
    %10 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<4194304xf32>, tensor<4194304xf32>) -> tensor<4194304xi1>
    %11 = call @_where(%10, %arg0, %arg1) : (tensor<4194304xi1>, tensor<4194304xf32>, tensor<4194304xf32>) -> tensor<4194304xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<4194304xf32>
    %13 = stablehlo.multiply %arg0, %arg0 : tensor<4194304xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4194304xf32>
    %15 = stablehlo.add %14, %13 : tensor<4194304xf32>
    %16 = stablehlo.divide %12, %15 : tensor<4194304xf32>
    return %16 : tensor<4194304xf32>
  }
  func.func private @_where(%arg0: tensor<4194304xi1>, %arg1: tensor<4194304xf32>, %arg2: tensor<4194304xf32>) -> tensor<4194304xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4194304xi1>, tensor<4194304xf32>
    return %0 : tensor<4194304xf32>
  }
}
