module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf8E5M2>, %arg1: tensor<3x3xi8>, %arg2: tensor<3x3xf32>, %arg3: tensor<3x3xi1>, %arg4: tensor<3x4x2x16xf8E5M2>, %arg5: tensor<3x3xf32>) -> (tensor<3x3xf8E5M2> {jax.result_info = "result[0]"}, tensor<3x1xf8E5M2> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<3x3xf32> {jax.result_info = "result[3]"}, tensor<3x3xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.sqrt %arg0 : tensor<3x3xf8E5M2>
    %1 = stablehlo.add %0, %arg0 : tensor<3x3xf8E5M2>
    %2:2 = "stablehlo.sort"(%arg1, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i8>, %arg7: tensor<i8>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.compare EQ, %arg8, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.select %10, %cst_2, %arg8 : tensor<i1>, tensor<f32>
      %12 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %13 = stablehlo.select %12, %cst_3, %11 : tensor<i1>, tensor<f32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.compare EQ, %arg9, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.select %14, %cst_5, %arg9 : tensor<i1>, tensor<f32>
      %16 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_6 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %17 = stablehlo.select %16, %cst_6, %15 : tensor<i1>, tensor<f32>
      %18 = stablehlo.compare LT, %13, %17, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %19 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      %20 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      %21 = stablehlo.and %20, %18 : tensor<i1>
      %22 = stablehlo.or %19, %21 : tensor<i1>
      stablehlo.return %22 : tensor<i1>
    }) : (tensor<3x3xi8>, tensor<3x3xf32>) -> (tensor<3x3xi8>, tensor<3x3xf32>)
    %3 = stablehlo.ceil %1 : tensor<3x3xf8E5M2>
    %4 = stablehlo.select %arg3, %3, %0 : tensor<3x3xi1>, tensor<3x3xf8E5M2>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
    %5 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [1, 3] : (tensor<3x4x2x16xf8E5M2>, tensor<f8E5M2>) -> tensor<3x2xf8E5M2>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f8E5M2>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f8E5M2>) -> tensor<f8E5M2>
    %7 = "stablehlo.reduce_window"(%5, %6) <{base_dilations = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg6: tensor<f8E5M2>, %arg7: tensor<f8E5M2>):
      %10 = stablehlo.add %arg6, %arg7 : tensor<f8E5M2>
      stablehlo.return %10 : tensor<f8E5M2>
    }) : (tensor<3x2xf8E5M2>, tensor<f8E5M2>) -> tensor<3x1xf8E5M2>
    %8 = stablehlo.reduce_precision %7, format = e2m3 : tensor<3x1xf8E5M2>
    %9:3 = "stablehlo.sort"(%2#1, %arg5, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<f32>, %arg11: tensor<f32>):
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.compare EQ, %arg6, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.select %10, %cst_2, %arg6 : tensor<i1>, tensor<f32>
      %12 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %13 = stablehlo.select %12, %cst_3, %11 : tensor<i1>, tensor<f32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.compare EQ, %arg7, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.select %14, %cst_5, %arg7 : tensor<i1>, tensor<f32>
      %16 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_6 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %17 = stablehlo.select %16, %cst_6, %15 : tensor<i1>, tensor<f32>
      %18 = stablehlo.compare LT, %13, %17, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    }) : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>)
    return %4, %8, %9#0, %9#1, %9#2 : tensor<3x3xf8E5M2>, tensor<3x1xf8E5M2>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
