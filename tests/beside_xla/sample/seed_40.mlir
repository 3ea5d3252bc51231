module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<bf16>, %arg1: tensor<5x4x16xbf16>) -> (tensor<1x16xbf16> {jax.result_info = "result[0]"}, tensor<1xbf16> {jax.result_info = "result[1]"}, tensor<5x4x16xbf16> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[[5.000000e-01, -3.000000e+00, -1.750000e+00, -2.500000e-01, -3.000000e+00, 1.500000e+00, 2.500000e-01, -2.750000e+00, 2.000000e+00, 2.750000e+00, -2.500000e-01, 1.175490e-38, -1.750000e+00, 7.500000e-01, -1.250000e+00, -2.500000e-01]]> : tensor<1x16xbf16>
    %0 = stablehlo.reverse %cst, dims = [0, 1] : tensor<1x16xbf16>
    %1 = stablehlo.exponential %cst : tensor<1x16xbf16>
    %2 = stablehlo.reduce(%cst init: %arg0) applies stablehlo.minimum across dimensions = [1] : (tensor<1x16xbf16>, tensor<bf16>) -> tensor<1xbf16>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<1x16xbf16>) -> tensor<5x4x16xbf16>
    %4 = stablehlo.maximum %3, %arg1 : tensor<5x4x16xbf16>
    return %0, %2, %4 : tensor<1x16xbf16>, tensor<1xbf16>, tensor<5x4x16xbf16>
  }
}
