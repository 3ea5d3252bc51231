module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2xbf16>) -> (tensor<3x2xi1> {jax.result_info = "result[0]"}, tensor<3x2xi1> {jax.result_info = "result[1]"}, tensor<3x2xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.cbrt %arg0 : tensor<3x2xbf16>
    %1 = stablehlo.sign %0 : tensor<3x2xbf16>
    %2 = stablehlo.add %1, %0 : tensor<3x2xbf16>
    %3 = stablehlo.reverse %2, dims = [1] : tensor<3x2xbf16>
    %4 = stablehlo.compare LT, %3, %arg0, FLOAT : (tensor<3x2xbf16>, tensor<3x2xbf16>) -> tensor<3x2xi1>
    %5 = stablehlo.compare GT, %3, %0, FLOAT : (tensor<3x2xbf16>, tensor<3x2xbf16>) -> tensor<3x2xi1>
    %6 = stablehlo.log %arg0 : tensor<3x2xbf16>
    return %4, %5, %6 : tensor<3x2xi1>, tensor<3x2xi1>, tensor<3x2xbf16>
  }
}
