module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x2xf32>, %arg1: tensor<7x1xf32>, %arg2: tensor<3x1x9xf32>, %arg3: tensor<17x1x3xui16>, %arg4: tensor<17x1x3xui16>) -> (tensor<2x8x2xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}, tensor<2x1x5xf32> {jax.result_info = "result[3]"}, tensor<17x1x3xui16> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[6, 0]> : tensor<2xi8>
    %0 = call @cumlogsumexp(%arg0) : (tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<7x1xf32>) -> tensor<7xf32>
    %2 = "stablehlo.gather"(%arg1, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1>}> : (tensor<7x1xf32>, tensor<2xi8>) -> tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.reduce_window"(%arg2, %3) <{base_dilations = array<i64: 2, 2, 1>, padding = dense<[[0, 0], [2, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 2>, window_dimensions = array<i64: 2, 2, 1>, window_strides = array<i64: 3, 2, 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %6 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<3x1x9xf32>, tensor<f32>) -> tensor<2x1x5xf32>
    %5 = stablehlo.shift_left %arg3, %arg4 : tensor<17x1x3xui16>
    return %0, %1, %2, %4, %5 : tensor<2x8x2xf32>, tensor<7xf32>, tensor<6xf32>, tensor<2x1x5xf32>, tensor<17x1x3xui16>
  }
  func.func private @cumlogsumexp(%arg0: tensor<2x8x2xf32>) -> tensor<2x8x2xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<2x8x2xf32>, tensor<f32>) -> tensor<2x8x2xf32>
    return %0 : tensor<2x8x2xf32>
  }
}
