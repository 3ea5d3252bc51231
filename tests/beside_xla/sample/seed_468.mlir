module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x1x1x1xui64>, %arg1: tensor<1x9xf32>, %arg2: tensor<3x6xf32>, %arg3: tensor<2x1x4xbf16>, %arg4: tensor<1x6xf32>, %arg5: tensor<1x6xf32>, %arg6: tensor<1x6xi32>) -> (tensor<4xbf16> {jax.result_info = "result[0]"}, tensor<9x1x1x1xi1> {jax.result_info = "result[1]"}, tensor<1x6xi1> {jax.result_info = "result[2]"}, tensor<6xf32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %0 = "stablehlo.reduce_window"(%arg0, %c) <{base_dilations = array<i64: 1, 2, 1, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 2, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 2, 1>}> ({
    ^bb0(%arg7: tensor<ui64>, %arg8: tensor<ui64>):
      %40 = stablehlo.multiply %arg7, %arg8 : tensor<ui64>
      stablehlo.return %40 : tensor<ui64>
    }) : (tensor<9x1x1x1xui64>, tensor<ui64>) -> tensor<9x1x1x1xui64>
    %1 = stablehlo.convolution(%arg1, %arg2) dim_numbers = [b, f]x[i, o]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x9xf32>, tensor<3x6xf32>) -> tensor<6x1xf32>
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %2 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x1x4xbf16>, tensor<bf16>) -> tensor<2x4xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x4xbf16>
    %4 = stablehlo.maximum %3, %2 : tensor<2x4xbf16>
    %5 = stablehlo.is_finite %4 : (tensor<2x4xbf16>) -> tensor<2x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4xbf16>
    %7 = stablehlo.select %5, %4, %6 : tensor<2x4xi1>, tensor<2x4xbf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<2x4xbf16>) -> tensor<2x1x4xbf16>
    %9 = stablehlo.subtract %arg3, %8 : tensor<2x1x4xbf16>
    %10 = stablehlo.exponential %9 : tensor<2x1x4xbf16>
    %11 = stablehlo.convert %10 : (tensor<2x1x4xbf16>) -> tensor<2x1x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %13 = stablehlo.convert %12 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %14 = stablehlo.sign %13 : tensor<2x4xbf16>
    %15 = stablehlo.abs %13 : tensor<2x4xbf16>
    %16 = stablehlo.log %15 : tensor<2x4xbf16>
    %17 = stablehlo.add %16, %7 : tensor<2x4xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.maximum across dimensions = [0] : (tensor<2x4xbf16>, tensor<bf16>) -> tensor<4xbf16>
    %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
    %20 = stablehlo.maximum %19, %18 : tensor<4xbf16>
    %21 = stablehlo.is_finite %20 : (tensor<4xbf16>) -> tensor<4xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
    %23 = stablehlo.select %21, %20, %22 : tensor<4xi1>, tensor<4xbf16>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<4xbf16>) -> tensor<1x4xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x4xbf16>) -> tensor<2x4xbf16>
    %26 = stablehlo.subtract %17, %25 : tensor<2x4xbf16>
    %27 = stablehlo.exponential %26 : tensor<2x4xbf16>
    %28 = stablehlo.convert %27 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %30 = stablehlo.convert %29 : (tensor<4xf32>) -> tensor<4xbf16>
    %31 = stablehlo.sign %30 : tensor<4xbf16>
    %32 = stablehlo.abs %30 : tensor<4xbf16>
    %33 = stablehlo.log %32 : tensor<4xbf16>
    %34 = stablehlo.add %33, %23 : tensor<4xbf16>
    %35 = stablehlo.transpose %1, dims = [1, 0] : (tensor<6x1xf32>) -> tensor<1x6xf32>
    %36 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<9x1x1x1xui64>, tensor<9x1x1x1xui64>) -> tensor<9x1x1x1xi1>
    %37 = stablehlo.subtract %35, %arg4 : tensor<1x6xf32>
    %38 = stablehlo.compare GT, %37, %arg5, FLOAT : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %39:2 = stablehlo.reduce(%arg5 init: %cst_7), (%arg6 init: %c_8) across dimensions = [0] : (tensor<1x6xf32>, tensor<1x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%arg7: tensor<f32>, %arg9: tensor<f32>) (%arg8: tensor<i32>, %arg10: tensor<i32>)  {
      %40 = stablehlo.abs %arg7 : tensor<f32>
      %41 = stablehlo.abs %arg9 : tensor<f32>
      %42 = stablehlo.compare GE, %40, %41, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %43 = stablehlo.select %42, %arg7, %arg9 : tensor<i1>, tensor<f32>
      %44 = stablehlo.select %42, %arg8, %arg10 : tensor<i1>, tensor<i32>
      stablehlo.return %43, %44 : tensor<f32>, tensor<i32>
    }
    return %34, %36, %38, %39#0, %39#1 : tensor<4xbf16>, tensor<9x1x1x1xi1>, tensor<1x6xi1>, tensor<6xf32>, tensor<6xi32>
  }
}
