module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf16>, %arg1: tensor<65xui16>, %arg2: tensor<i1>, %arg3: tensor<65xui16>, %arg4: tensor<5xui16>, %arg5: tensor<3xi32>) -> (tensor<65xui16> {jax.result_info = "result[0]"}, tensor<3xf8E8M0FNU> {jax.result_info = "result[1]"}, tensor<5xui16> {jax.result_info = "result[2]"}, tensor<f16> {jax.result_info = "result[3]"}, tensor<i32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convert %arg2 : (tensor<i1>) -> tensor<i32>
    "stablehlo.case"(%0) ({
      stablehlo.return 
    }, {
      stablehlo.return 
    }) : (tensor<i32>) -> ()
    %1 = stablehlo.convert %arg0 : (tensor<3xf16>) -> tensor<3xf8E8M0FNU>
    %2 = stablehlo.reverse %arg4, dims = [0] : tensor<5xui16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg0 init: %cst), (%arg5 init: %c) across dimensions = [0] : (tensor<3xf16>, tensor<3xi32>, tensor<f16>, tensor<i32>) -> (tensor<f16>, tensor<i32>)
     reducer(%arg6: tensor<f16>, %arg8: tensor<f16>) (%arg7: tensor<i32>, %arg9: tensor<i32>)  {
      %4 = stablehlo.abs %arg6 : tensor<f16>
      %5 = stablehlo.abs %arg8 : tensor<f16>
      %6 = stablehlo.compare GE, %4, %5, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %7 = stablehlo.select %6, %arg6, %arg8 : tensor<i1>, tensor<f16>
      %8 = stablehlo.select %6, %arg7, %arg9 : tensor<i1>, tensor<i32>
      stablehlo.return %7, %8 : tensor<f16>, tensor<i32>
    }
    return %arg1, %1, %2, %3#0, %3#1 : tensor<65xui16>, tensor<3xf8E8M0FNU>, tensor<5xui16>, tensor<f16>, tensor<i32>
  }
}
