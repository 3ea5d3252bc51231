module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xbf16>, %arg1: tensor<4x1x3xi32>, %arg2: tensor<4x1x3xi32>, %arg3: tensor<4x1x3xi32>, %arg4: tensor<2xbf16>, %arg5: tensor<11xbf16>) -> (tensor<4x1x3xi1> {jax.result_info = "result[0]"}, tensor<1x3xi32> {jax.result_info = "result[1]"}, tensor<1x3xi32> {jax.result_info = "result[2]"}, tensor<2x1xi1> {jax.result_info = "result[3]"}, tensor<11xf32> {jax.result_info = "result[4]"}, tensor<2xi1> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[-1.216000e+03, -5.360000e+02]> : tensor<2xbf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %10 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %10 : tensor<bf16>
    }) : (tensor<9xbf16>, tensor<bf16>) -> tensor<11xbf16>
    %2 = stablehlo.compare NE, %arg1, %arg2, SIGNED : (tensor<4x1x3xi32>, tensor<4x1x3xi32>) -> tensor<4x1x3xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%arg2 init: %c), (%arg3 init: %c_1) across dimensions = [0] : (tensor<4x1x3xi32>, tensor<4x1x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<1x3xi32>, tensor<1x3xi32>)
     reducer(%arg6: tensor<i32>, %arg8: tensor<i32>) (%arg7: tensor<i32>, %arg9: tensor<i32>)  {
      %10 = stablehlo.abs %arg6 : tensor<i32>
      %11 = stablehlo.abs %arg8 : tensor<i32>
      %12 = stablehlo.compare GE, %10, %11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %13 = stablehlo.select %12, %arg6, %arg8 : tensor<i1>, tensor<i32>
      %14 = stablehlo.select %12, %arg7, %arg9 : tensor<i1>, tensor<i32>
      stablehlo.return %13, %14 : tensor<i32>, tensor<i32>
    }
    %4 = stablehlo.reverse %3#1, dims = [0, 1] : tensor<1x3xi32>
    %5 = stablehlo.compare GE, %cst, %arg4, FLOAT : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi1>
    %6 = stablehlo.reshape %5 : (tensor<2xi1>) -> tensor<2x1xi1>
    %7 = stablehlo.multiply %1, %arg5 : tensor<11xbf16>
    %8 = stablehlo.multiply %7, %arg5 : tensor<11xbf16>
    %9 = stablehlo.convert %8 : (tensor<11xbf16>) -> tensor<11xf32>
    return %2, %3#0, %4, %6, %9, %5 : tensor<4x1x3xi1>, tensor<1x3xi32>, tensor<1x3xi32>, tensor<2x1xi1>, tensor<11xf32>, tensor<2xi1>
  }
}
