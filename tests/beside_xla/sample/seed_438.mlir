module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x1xf32>, %arg1: tensor<i32>, %arg2: tensor<1x1xf32>, %arg3: tensor<8x1xi32>) -> (tensor<8x1x3xf32> {jax.result_info = "result[0]"}, tensor<8x1xf32> {jax.result_info = "result[1]"}, tensor<8x1xi32> {jax.result_info = "result[2]"}, tensor<8x1xf32> {jax.result_info = "result[3]"}, tensor<8x1x3xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %c, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.add %c_1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.select %0, %1, %c_3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %arg1, %c_5 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg1 : tensor<i1>, tensor<i32>
    %6 = stablehlo.dynamic_update_slice %arg0, %arg2, %2, %5 : (tensor<8x1xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x1xf32>
    %7 = stablehlo.abs %6 : tensor<8x1xf32>
    %8 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x3xf32>
    %9 = stablehlo.log %8 : tensor<8x1x3xf32>
    %10 = stablehlo.negate %9 : tensor<8x1x3xf32>
    %11 = stablehlo.exponential %10 : tensor<8x1x3xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1x3xf32>
    %13 = stablehlo.add %12, %11 : tensor<8x1x3xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1x3xf32>
    %15 = stablehlo.divide %14, %13 : tensor<8x1x3xf32>
    %16 = stablehlo.compare NE, %7, %7, FLOAT : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %18 = call @_where(%16, %17, %7) : (tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %19 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %21 = call @_where(%19, %20, %6) : (tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %22:3 = "stablehlo.sort"(%18, %arg3, %21) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %24 = stablehlo.abs %arg4 : tensor<f32>
      %25 = stablehlo.abs %arg5 : tensor<f32>
      %26 = stablehlo.compare LT, %24, %25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %26 : tensor<i1>
    }) : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<8x1xf32>) -> (tensor<8x1xf32>, tensor<8x1xi32>, tensor<8x1xf32>)
    %23 = stablehlo.power %9, %8 : tensor<8x1x3xf32>
    return %15, %22#0, %22#1, %22#2, %23 : tensor<8x1x3xf32>, tensor<8x1xf32>, tensor<8x1xi32>, tensor<8x1xf32>, tensor<8x1x3xf32>
  }
  func.func private @_where(%arg0: tensor<8x1xi1>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x1xf32>) -> tensor<8x1xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x1xi1>, tensor<8x1xf32>
    return %0 : tensor<8x1xf32>
  }
}
