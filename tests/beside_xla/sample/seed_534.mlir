module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x2xf16>, %arg1: tensor<7x1xi32>) -> (tensor<7xi32> {jax.result_info = "result[0]"}, tensor<7x1xf16> {jax.result_info = "result[1]"}, tensor<7x1xi32> {jax.result_info = "result[2]"}, tensor<7x1xi32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[-1.000000e+00, 1.500000e+00], [-2.500000e-01, -1.750000e+00], [-1.250000e+00, 2.500000e-01], [-2.250000e+00, 0x7E00], [1.500000e+00, 1.500000e+00], [0.000000e+00, 1.750000e+00], [1.250000e+00, 1.250000e+00]]> : tensor<7x2xf16>
    %0 = stablehlo.divide %cst, %arg0 : tensor<7x2xf16>
    %1 = call @argmax(%0) : (tensor<7x2xf16>) -> tensor<7xi32>
    %values, %indices = chlo.top_k(%cst, k = 1) : tensor<7x2xf16> -> (tensor<7x1xf16>, tensor<7x1xi32>)
    %2 = stablehlo.divide %indices, %arg1 : tensor<7x1xi32>
    %3 = stablehlo.abs %2 : tensor<7x1xi32>
    return %1, %values, %3, %2 : tensor<7xi32>, tensor<7x1xf16>, tensor<7x1xi32>, tensor<7x1xi32>
  }
  func.func private @argmax(%arg0: tensor<7x2xf16>) -> tensor<7xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<7x2xi32>
    %cst = stablehlo.constant dense<0xFC00> : tensor<f16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<7x2xf16>, tensor<7x2xi32>, tensor<f16>, tensor<i32>) -> (tensor<7xf16>, tensor<7xi32>)
     reducer(%arg1: tensor<f16>, %arg3: tensor<f16>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f16>, tensor<i32>
    }
    return %1#1 : tensor<7xi32>
  }
}
