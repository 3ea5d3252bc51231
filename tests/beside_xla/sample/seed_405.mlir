module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<2xf64>, %arg2: tensor<4x2xf32>, %arg3: tensor<4x2xf64>, %arg4: tensor<4x2x7x2xf16>, %arg5: tensor<1x4x1x2xf16>) -> (tensor<4x2xf64> {jax.result_info = "result[0]"}, tensor<4x2xf32> {jax.result_info = "result[1]"}, tensor<4x2xf64> {jax.result_info = "result[2]"}, tensor<2x2xf64> {jax.result_info = "result[3]"}, tensor<6x4x1x4xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.rsqrt %arg0 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %2:2 = "stablehlo.sort"(%1, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>, %arg8: tensor<f64>, %arg9: tensor<f64>):
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %10 = stablehlo.compare EQ, %arg6, %cst_0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %11 = stablehlo.select %10, %cst_1, %arg6 : tensor<i1>, tensor<f64>
      %12 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %13 = stablehlo.select %12, %cst_2, %11 : tensor<i1>, tensor<f64>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %14 = stablehlo.compare EQ, %arg7, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %15 = stablehlo.select %14, %cst_4, %arg7 : tensor<i1>, tensor<f64>
      %16 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %17 = stablehlo.select %16, %cst_5, %15 : tensor<i1>, tensor<f64>
      %18 = stablehlo.compare LT, %13, %17, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    }) : (tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %4 = "stablehlo.reduce_window"(%2#1, %3) <{base_dilations = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
      %10 = stablehlo.minimum %arg6, %arg7 : tensor<f64>
      stablehlo.return %10 : tensor<f64>
    }) : (tensor<2xf64>, tensor<f64>) -> tensor<1xf64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xf64>) -> tensor<4x2xf64>
    %6:3 = "stablehlo.sort"(%5, %arg2, %arg3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<f64>, %arg11: tensor<f64>):
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %10 = stablehlo.compare EQ, %arg6, %cst_0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %11 = stablehlo.select %10, %cst_1, %arg6 : tensor<i1>, tensor<f64>
      %12 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %13 = stablehlo.select %12, %cst_2, %11 : tensor<i1>, tensor<f64>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %14 = stablehlo.compare EQ, %arg7, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %15 = stablehlo.select %14, %cst_4, %arg7 : tensor<i1>, tensor<f64>
      %16 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %17 = stablehlo.select %16, %cst_5, %15 : tensor<i1>, tensor<f64>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.compare EQ, %arg8, %cst_6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %19 = stablehlo.select %18, %cst_7, %arg8 : tensor<i1>, tensor<f32>
      %20 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_8 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %21 = stablehlo.select %20, %cst_8, %19 : tensor<i1>, tensor<f32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %22 = stablehlo.compare EQ, %arg9, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.select %22, %cst_10, %arg9 : tensor<i1>, tensor<f32>
      %24 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f32>
      %26 = stablehlo.compare LT, %21, %25, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %27 = stablehlo.compare LT, %13, %17, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %28 = stablehlo.compare EQ, %13, %17, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %29 = stablehlo.and %28, %26 : tensor<i1>
      %30 = stablehlo.or %27, %29 : tensor<i1>
      stablehlo.return %30 : tensor<i1>
    }) : (tensor<4x2xf64>, tensor<4x2xf32>, tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<4x2xf32>, tensor<4x2xf64>)
    %7 = stablehlo.broadcast_in_dim %2#1, dims = [0] : (tensor<2xf64>) -> tensor<2x2xf64>
    %8 = call @cumprod(%7) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %9 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [0, b, 1, f]x[0, o, 1, i]->[0, 1, b, f], window = {stride = [1, 2], pad = [[-1, 3], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x7x2xf16>, tensor<1x4x1x2xf16>) -> tensor<6x4x1x4xf32>
    return %6#0, %6#1, %6#2, %8, %9 : tensor<4x2xf64>, tensor<4x2xf32>, tensor<4x2xf64>, tensor<2x2xf64>, tensor<6x4x1x4xf32>
  }
  func.func private @cumprod(%arg0: tensor<2x2xf64>) -> tensor<2x2xf64> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x2xf64>
    return %0 : tensor<2x2xf64>
  }
}
