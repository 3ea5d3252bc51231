module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17x2x17xf8E4M3>, %arg1: tensor<3xf32>, %arg2: tensor<4x2xf32>, %arg3: tensor<6x2xf32>, %arg4: tensor<i32>, %arg5: tensor<2x6xf32>) -> (tensor<1x2x2xf32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<2x6xf32> {jax.result_info = "result[2]"}, tensor<2x6xf32> {jax.result_info = "result[3]"}, tensor<51x2x18xf8E4M3> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[1], [5]]]> : tensor<1x2x1xi32>
    %0 = stablehlo.iota dim = 0 : tensor<3xf32>
    %1 = stablehlo.subtract %arg1, %0 : tensor<3xf32>
    %2 = stablehlo.slice %1 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %3 = "stablehlo.gather"(%2, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2>}> : (tensor<2xf32>, tensor<1x2x1xi32>) -> tensor<1x2x2xf32>
    %4 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [f, b]x[o, i]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2xf32>, tensor<6x2xf32>) -> tensor<2x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.is_finite %5 : (tensor<f32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.clamp %c_0, %arg4, %c_1 : tensor<i32>
    %8:2 = "stablehlo.case"(%7) ({
      stablehlo.return %4, %arg5 : tensor<2x6xf32>, tensor<2x6xf32>
    }, {
      stablehlo.return %arg5, %4 : tensor<2x6xf32>, tensor<2x6xf32>
    }, {
      %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
      %11 = stablehlo.multiply %4, %10 : tensor<2x6xf32>
      %12 = stablehlo.add %11, %arg5 : tensor<2x6xf32>
      stablehlo.return %arg5, %12 : tensor<2x6xf32>, tensor<2x6xf32>
    }) : (tensor<i32>) -> (tensor<2x6xf32>, tensor<2x6xf32>)
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f8E4M3>
    %9 = stablehlo.pad %arg0, %cst_2, low = [1, 0, -2], high = [1, 0, 3], interior = [2, 0, 0] : (tensor<17x2x17xf8E4M3>, tensor<f8E4M3>) -> tensor<51x2x18xf8E4M3>
    return %3, %6, %8#0, %8#1, %9 : tensor<1x2x2xf32>, tensor<i1>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<51x2x18xf8E4M3>
  }
}
