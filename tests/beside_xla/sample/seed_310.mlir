module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xi32>, %arg1: tensor<2x1x1xi32>, %arg2: tensor<3x4x9x1xi8>, %arg3: tensor<i8>, %arg4: tensor<4x3x16xi32>, %arg5: tensor<4x3x16xi1>, %arg6: tensor<4x3x16xi32>, %arg7: tensor<i32>, %arg8: tensor<4x5x16xi32>) -> (tensor<2x4x1xi32> {jax.result_info = "result[0]"}, tensor<3x18x4xi8> {jax.result_info = "result[1]"}, tensor<4x3x16xi8> {jax.result_info = "result[2]"}, tensor<4x5x16xi32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x1x1xi32>
    %1 = stablehlo.compare GE, %arg1, %0, SIGNED : (tensor<2x1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
    %2 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x1x1xi32>
    %4 = stablehlo.compare LE, %arg1, %3, SIGNED : (tensor<2x1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
    %5 = stablehlo.and %1, %4 : tensor<2x1x1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %6 = stablehlo.reduce(%5 init: %c_1) applies stablehlo.and across dimensions = [2] : (tensor<2x1x1xi1>, tensor<i1>) -> tensor<2x1xi1>
    %7 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4>}> : (tensor<8xi32>, tensor<2x1x1xi32>) -> tensor<2x4x1xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 2] : (tensor<2x1xi1>) -> tensor<2x4x1xi1>
    %c_2 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %10 = stablehlo.select %8, %7, %9 : tensor<2x4x1xi1>, tensor<2x4x1xi32>
    %11 = stablehlo.reshape %arg2 : (tensor<3x4x9x1xi8>) -> tensor<3x18x2xi8>
    %12 = stablehlo.pad %11, %arg3, low = [-2, 0, 1], high = [2, 0, -1], interior = [0, 0, 2] : (tensor<3x18x2xi8>, tensor<i8>) -> tensor<3x18x4xi8>
    %13 = stablehlo.select %arg5, %arg4, %arg6 : tensor<4x3x16xi1>, tensor<4x3x16xi32>
    %14 = stablehlo.convert %13 : (tensor<4x3x16xi32>) -> tensor<4x3x16xi8>
    %15 = stablehlo.pad %arg4, %arg7, low = [0, -1, 0], high = [0, 3, 0], interior = [0, 0, 0] : (tensor<4x3x16xi32>, tensor<i32>) -> tensor<4x5x16xi32>
    %16 = stablehlo.shift_right_arithmetic %15, %arg8 : tensor<4x5x16xi32>
    return %10, %12, %14, %16 : tensor<2x4x1xi32>, tensor<3x18x4xi8>, tensor<4x3x16xi8>, tensor<4x5x16xi32>
  }
}
