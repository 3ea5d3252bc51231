module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<130xbf16>, %arg1: tensor<130xf32>, %arg2: tensor<2x3x9xi64>, %arg3: tensor<2x3x1xi32>, %arg4: tensor<4x3x6xf32>, %arg5: tensor<6x1x3xf32>, %arg6: tensor<2x6x6xi1>, %arg7: tensor<2x6x6xf32>, %arg8: tensor<130xi32>, %arg9: tensor<i1>) -> (tensor<2x3x1xi64> {jax.result_info = "result[0]"}, tensor<2x3x1xi1> {jax.result_info = "result[1]"}, tensor<2x6x6xf32> {jax.result_info = "result[2]"}, tensor<130xbf16> {jax.result_info = "result[3]"}, tensor<130xi32> {jax.result_info = "result[4]"}) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<bf16>, %arg11: tensor<bf16>, %arg12: tensor<f32>, %arg13: tensor<f32>):
      %10 = stablehlo.compare LT, %arg10, %arg11, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<130xbf16>, tensor<130xf32>) -> (tensor<130xbf16>, tensor<130xf32>)
    %values, %indices = chlo.top_k(%arg2, k = 1) : tensor<2x3x9xi64> -> (tensor<2x3x1xi64>, tensor<2x3x1xi32>)
    %1 = stablehlo.compare NE, %indices, %arg3, SIGNED : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x1xi1>
    %2 = stablehlo.tanh %0#0 : tensor<130xbf16>
    %3 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [b, f, 0]x[o, 0, i]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x6xf32>, tensor<6x1x3xf32>) -> tensor<2x6x6xf32>
    %4 = stablehlo.select %arg6, %3, %arg7 : tensor<2x6x6xi1>, tensor<2x6x6xf32>
    %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<130xbf16>, tensor<130xbf16>) -> tensor<130xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<130xbf16>
    %7 = call @_where(%5, %6, %2) : (tensor<130xi1>, tensor<130xbf16>, tensor<130xbf16>) -> tensor<130xbf16>
    %8:2 = "stablehlo.sort"(%7, %arg8) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<bf16>, %arg11: tensor<bf16>, %arg12: tensor<i32>, %arg13: tensor<i32>):
      %10 = stablehlo.compare GT, %arg10, %arg11, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %11 = stablehlo.compare EQ, %arg10, %arg11, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %12 = stablehlo.compare LT, %arg12, %arg13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %13 = stablehlo.and %11, %12 : tensor<i1>
      %14 = stablehlo.or %10, %13 : tensor<i1>
      stablehlo.return %14 : tensor<i1>
    }) : (tensor<130xbf16>, tensor<130xi32>) -> (tensor<130xbf16>, tensor<130xi32>)
    %9 = stablehlo.select %arg9, %8#1, %arg8 : tensor<i1>, tensor<130xi32>
    return %values, %1, %4, %8#0, %9 : tensor<2x3x1xi64>, tensor<2x3x1xi1>, tensor<2x6x6xf32>, tensor<130xbf16>, tensor<130xi32>
  }
  func.func private @_where(%arg0: tensor<130xi1>, %arg1: tensor<130xbf16>, %arg2: tensor<130xbf16>) -> tensor<130xbf16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<130xi1>, tensor<130xbf16>
    return %0 : tensor<130xbf16>
  }
}
