module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<33xbf16>, %arg1: tensor<17xi32>, %arg2: tensor<1xi32>, %arg3: tensor<17xi32>, %arg4: tensor<4x3x9x1xf32>) -> (tensor<33xbf16> {jax.result_info = "result[0]"}, tensor<17x8xi32> {jax.result_info = "result[1]"}, tensor<4x3x9x1xf32> {jax.result_info = "result[2]"}, tensor<17xi32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[-2.250000e+00, 0.000000e+00, 1.750000e+00, -2.750000e+00, -1.750000e+00, 1.750000e+00, -2.000000e+00, -2.250000e+00, -1.000000e+00, 1.250000e+00, 2.000000e+00, -2.250000e+00, -1.750000e+00, 5.000000e-01, -1.500000e+00, -2.500000e-01, -5.000000e-01, -3.000000e+00, -2.250000e+00, 2.250000e+00, 5.000000e-01, 2.750000e+00, 7.500000e-01, 1.000000e+00, 3.000000e+00, 0.000000e+00, 5.000000e-01, -5.000000e-01, 1.750000e+00, -2.750000e+00, 1.500000e+00, 2.500000e-01, -2.250000e+00]> : tensor<33xbf16>
    %0 = chlo.next_after %arg0, %cst : tensor<33xbf16>, tensor<33xbf16> -> tensor<33xbf16>
    %1 = stablehlo.maximum %0, %arg0 : tensor<33xbf16>
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<2147483647> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.minimum %c, %2 : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.clamp %4, %arg2, %3 : tensor<1xi32>
    %6 = "stablehlo.scatter"(%arg1, %5, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      stablehlo.return %arg6 : tensor<i32>
    }) : (tensor<17xi32>, tensor<1xi32>, tensor<17xi32>) -> tensor<17xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<17xi32>) -> tensor<17x8xi32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<17x8xi32>
    %9 = stablehlo.optimization_barrier %arg4 : tensor<4x3x9x1xf32>
    return %1, %8, %9, %6 : tensor<33xbf16>, tensor<17x8xi32>, tensor<4x3x9x1xf32>, tensor<17xi32>
  }
}
