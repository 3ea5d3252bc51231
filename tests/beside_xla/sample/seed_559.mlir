module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3x9xi32>, %arg1: tensor<7x3x9xi32>, %arg2: tensor<7x3x9xi32>, %arg3: tensor<1xbf16>, %arg4: tensor<7x3x9xf32>, %arg5: tensor<6x3xi32>, %arg6: tensor<2x6xi32>, %arg7: tensor<1xbf16>, %arg8: tensor<7x3x9xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<2x6xi32> {jax.result_info = "result[2]"}, tensor<1xbf16> {jax.result_info = "result[3]"}, tensor<7x3x9xf32> {jax.result_info = "result[4]"}, tensor<2x6xi32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<[[4, -9, 1], [9, 11, 6], [2, -2, -6], [11, 10, 7]]> : tensor<4x3xi32>
    %cst = stablehlo.constant dense<1.750000e+00> : tensor<1xbf16>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<7x3x9xi32>
    %1 = stablehlo.remainder %0, %arg2 : tensor<7x3x9xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2:2 = stablehlo.reduce(%1 init: %c_0), (%arg4 init: %cst_1) across dimensions = [0, 1, 2] : (tensor<7x3x9xi32>, tensor<7x3x9xf32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
     reducer(%arg9: tensor<i32>, %arg11: tensor<i32>) (%arg10: tensor<f32>, %arg12: tensor<f32>)  {
      %22 = stablehlo.abs %arg9 : tensor<i32>
      %23 = stablehlo.abs %arg11 : tensor<i32>
      %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %25 = stablehlo.select %24, %arg9, %arg11 : tensor<i1>, tensor<i32>
      %26 = stablehlo.select %24, %arg10, %arg12 : tensor<i1>, tensor<f32>
      stablehlo.return %25, %26 : tensor<i32>, tensor<f32>
    }
    %3 = stablehlo.convolution(%c, %arg5) dim_numbers = [b, f]x[o, i]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3xi32>, tensor<6x3xi32>) -> tensor<2x6xi32>
    %4 = stablehlo.shift_right_logical %3, %arg6 : tensor<2x6xi32>
    %5 = stablehlo.atan2 %arg3, %arg7 : tensor<1xbf16>
    %6 = stablehlo.reshape %5 : (tensor<1xbf16>) -> tensor<1x1xbf16>
    %7 = stablehlo.multiply %5, %cst : tensor<1xbf16>
    %8:2 = call @sort(%7) : (tensor<1xbf16>) -> (tensor<1xbf16>, tensor<1x1xui32>)
    %9 = stablehlo.multiply %8#0, %5 : tensor<1xbf16>
    %10 = stablehlo.convert %9 : (tensor<1xbf16>) -> tensor<1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %12 = stablehlo.convert %11 : (tensor<f32>) -> tensor<bf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %14 = stablehlo.convert %13 : (tensor<1xf32>) -> tensor<1xbf16>
    %15 = stablehlo.multiply %8#0, %14 : tensor<1xbf16>
    %16 = stablehlo.multiply %14, %5 : tensor<1xbf16>
    %17 = call @sort_0(%8#1, %16) : (tensor<1x1xui32>, tensor<1xbf16>) -> tensor<1xbf16>
    %18 = stablehlo.multiply %17, %cst : tensor<1xbf16>
    %19 = stablehlo.add %15, %18 : tensor<1xbf16>
    %20 = stablehlo.tan %19 : tensor<1xbf16>
    %21 = stablehlo.minimum %arg4, %arg8 : tensor<7x3x9xf32>
    return %2#0, %2#1, %4, %20, %21, %3 : tensor<i32>, tensor<f32>, tensor<2x6xi32>, tensor<1xbf16>, tensor<7x3x9xf32>, tensor<2x6xi32>
  }
  func.func private @sort(%arg0: tensor<1xbf16>) -> (tensor<1xbf16>, tensor<1x1xui32>) {
    %0 = stablehlo.iota dim = 0 : tensor<1xui32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>, %arg3: tensor<ui32>, %arg4: tensor<ui32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %3 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %4 = stablehlo.select %3, %cst_0, %arg1 : tensor<i1>, tensor<bf16>
      %5 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %6 = stablehlo.select %5, %cst_1, %4 : tensor<i1>, tensor<bf16>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %7 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %8 = stablehlo.select %7, %cst_3, %arg2 : tensor<i1>, tensor<bf16>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %10 = stablehlo.select %9, %cst_4, %8 : tensor<i1>, tensor<bf16>
      %11 = stablehlo.compare LT, %6, %10, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<1xbf16>, tensor<1xui32>) -> (tensor<1xbf16>, tensor<1xui32>)
    %2 = stablehlo.broadcast_in_dim %1#1, dims = [0] : (tensor<1xui32>) -> tensor<1x1xui32>
    return %1#0, %2 : tensor<1xbf16>, tensor<1x1xui32>
  }
  func.func private @sort_0(%arg0: tensor<1x1xui32>, %arg1: tensor<1xbf16>) -> tensor<1xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1xbf16>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<1xbf16>, tensor<1x1xui32>, tensor<1xbf16>) -> tensor<1xbf16>
    return %1 : tensor<1xbf16>
  }
}
