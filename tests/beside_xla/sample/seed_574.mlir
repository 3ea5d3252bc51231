module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x1x5xi1>, %arg1: tensor<4x2x1xi64>, %arg2: tensor<3xui64>, %arg3: tensor<9x3x2xbf16>) -> (tensor<4x1x2x5xi1> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}, tensor<2x1x5xui64> {jax.result_info = "result[2]"}, tensor<9x3x2xbf16> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.convert %arg1 : (tensor<4x2x1xi64>) -> tensor<4x2x1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x2x1xi32>
    %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x1xi1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x2x1xi32>
    %5 = stablehlo.compare LE, %0, %4, SIGNED : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x1xi1>
    %6 = stablehlo.and %2, %5 : tensor<4x2x1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.reduce(%6 init: %c_1) applies stablehlo.and across dimensions = [2] : (tensor<4x2x1xi1>, tensor<i1>) -> tensor<4x2xi1>
    %8 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<5x1x5xi1>, tensor<4x2x1xi32>) -> tensor<4x1x2x5xi1>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<4x2xi1>) -> tensor<4x1x2x5xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<4x1x2x5xi1>
    %11 = stablehlo.select %9, %8, %10 : tensor<4x1x2x5xi1>, tensor<4x1x2x5xi1>
    %12 = call @argmin(%arg2) : (tensor<3xui64>) -> tensor<i32>
    %13 = stablehlo.convert %arg0 : (tensor<5x1x5xi1>) -> tensor<5x1x5xui64>
    %14 = stablehlo.slice %13 [0:5:3, 0:1, 0:5] : (tensor<5x1x5xui64>) -> tensor<2x1x5xui64>
    %15 = stablehlo.reduce_precision %arg3, format = e2m5 : tensor<9x3x2xbf16>
    return %11, %12, %14, %15 : tensor<4x1x2x5xi1>, tensor<i32>, tensor<2x1x5xui64>, tensor<9x3x2xbf16>
  }
  func.func private @argmin(%arg0: tensor<3xui64>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<3xui64>, tensor<3xi32>, tensor<ui64>, tensor<i32>) -> (tensor<ui64>, tensor<i32>)
     reducer(%arg1: tensor<ui64>, %arg3: tensor<ui64>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<ui64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<ui64>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
}
