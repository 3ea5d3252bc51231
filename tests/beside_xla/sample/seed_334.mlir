module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x1x1xf32>, %arg1: tensor<f32>, %arg2: tensor<7x2x2x3xf64>, %arg3: tensor<2x3x2x3xf64>, %arg4: tensor<1x8xui8>, %arg5: tensor<1x8xi32>, %arg6: tensor<8x3x1x7xf32>, %arg7: tensor<3x7xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<1x4x2x0xf64> {jax.result_info = "result[1]"}, tensor<1x8xi1> {jax.result_info = "result[2]"}, tensor<1x8xi32> {jax.result_info = "result[3]"}, tensor<3x7xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.minimum across dimensions = [1, 2, 3] : (tensor<5x1x1x1xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [1, f, b, 0]x[i, 0, o, 1]->[b, 1, f, 0], window = {stride = [2, 1], pad = [[0, 0], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<7x2x2x3xf64>, tensor<2x3x2x3xf64>) -> tensor<1x4x2x0xf64>
    %2 = stablehlo.round_nearest_even %1 : tensor<1x4x2x0xf64>
    %3 = stablehlo.convert %arg4 : (tensor<1x8xui8>) -> tensor<1x8xf32>
    %4 = stablehlo.is_finite %3 : (tensor<1x8xf32>) -> tensor<1x8xi1>
    %5:2 = "stablehlo.sort"(%3, %arg5) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.compare EQ, %arg8, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.select %9, %cst_0, %arg8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %12 = stablehlo.select %11, %cst_1, %10 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.compare EQ, %arg9, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.select %13, %cst_3, %arg9 : tensor<i1>, tensor<f32>
      %15 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %16 = stablehlo.select %15, %cst_4, %14 : tensor<i1>, tensor<f32>
      %17 = stablehlo.compare LT, %arg10, %arg11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %18 = stablehlo.compare LT, %12, %16, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %19 = stablehlo.compare EQ, %12, %16, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %20 = stablehlo.and %19, %17 : tensor<i1>
      %21 = stablehlo.or %18, %20 : tensor<i1>
      stablehlo.return %21 : tensor<i1>
    }) : (tensor<1x8xf32>, tensor<1x8xi32>) -> (tensor<1x8xf32>, tensor<1x8xi32>)
    %6 = stablehlo.dot_general %arg6, %5#0, contracting_dims = [2, 0] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x3x1x7xf32>, tensor<1x8xf32>) -> tensor<3x7xf32>
    %7 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<3x7xf32>, tensor<3x7xf32>) -> tensor<3x7xi1>
    %8 = stablehlo.select %7, %arg7, %6 : tensor<3x7xi1>, tensor<3x7xf32>
    return %0, %2, %4, %5#1, %8 : tensor<5xf32>, tensor<1x4x2x0xf64>, tensor<1x8xi1>, tensor<1x8xi32>, tensor<3x7xf32>
  }
}
