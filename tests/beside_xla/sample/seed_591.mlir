module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf8E5M2FNUZ>, %arg1: tensor<1x4x4xf8E5M2FNUZ>, %arg2: tensor<7x8xf8E5M2FNUZ>, %arg3: tensor<1x4xf32>) -> (tensor<7xf8E5M2FNUZ> {jax.result_info = "result[0]"}, tensor<1xf8E5M2FNUZ> {jax.result_info = "result[1]"}, tensor<1x4xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<4> : tensor<1xui8>
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4xf8E5M2FNUZ>, tensor<4xf8E5M2FNUZ>) -> tensor<1x4xf32>
    %1 = "stablehlo.gather"(%arg2, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 7, 1>}> : (tensor<7x8xf8E5M2FNUZ>, tensor<1xui8>) -> tensor<7xf8E5M2FNUZ>
    %2 = stablehlo.ceil %arg0 : tensor<4xf8E5M2FNUZ>
    %3 = stablehlo.abs %2 : tensor<4xf8E5M2FNUZ>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2FNUZ>
    %4 = stablehlo.pad %3, %cst, low = [-1], high = [-2], interior = [0] : (tensor<4xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<1xf8E5M2FNUZ>
    %5 = stablehlo.negate %0 : tensor<1x4xf32>
    %6 = stablehlo.negate %5 : tensor<1x4xf32>
    %7 = stablehlo.maximum %6, %6 : tensor<1x4xf32>
    return %1, %4, %7 : tensor<7xf8E5M2FNUZ>, tensor<1xf8E5M2FNUZ>, tensor<1x4xf32>
  }
}
