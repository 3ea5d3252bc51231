module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x4xf16>, %arg1: tensor<16x16x4xf16>, %arg2: tensor<2xui16>, %arg3: tensor<2xui16>, %arg4: tensor<2x2xui16>, %arg5: tensor<f16>) -> (tensor<3x4x4xf16> {jax.result_info = "result[0]"}, tensor<2x16x4x4x4xf16> {jax.result_info = "result[1]"}, tensor<2xui16> {jax.result_info = "result[2]"}, tensor<3x4xf16> {jax.result_info = "result[3]"}, tensor<2xf16> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[0], [0], [1], [0]], [[3], [0], [0], [2]], [[5], [2], [-3], [0]], [[3], [2], [1], [0]]]> : tensor<4x4x1xi64>
    %0 = stablehlo.optimization_barrier %arg0 : tensor<3x4x4xf16>
    %1 = "stablehlo.gather"(%arg1, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 3], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2, 16, 4>}> : (tensor<16x16x4xf16>, tensor<4x4x1xi64>) -> tensor<2x16x4x4x4xf16>
    %2 = stablehlo.xor %arg2, %arg3 : tensor<2xui16>
    %3 = stablehlo.dot_general %arg4, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xui16>, tensor<2xui16>) -> tensor<2xui16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %4 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [2] : (tensor<3x4x4xf16>, tensor<f16>) -> tensor<3x4xf16>
    %5 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f16>) -> tensor<2xf16>
    return %0, %1, %3, %4, %5 : tensor<3x4x4xf16>, tensor<2x16x4x4x4xf16>, tensor<2xui16>, tensor<3x4xf16>, tensor<2xf16>
  }
}
