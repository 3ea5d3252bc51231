module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui32>, %arg1: tensor<2xui64>, %arg2: tensor<3x2xui8>, %arg3: tensor<3x1xui8>, %arg4: tensor<i1>, %arg5: tensor<1xi1>, %arg6: tensor<3x7x2x2xf32>, %arg7: tensor<3x1x3x1xf32>, %arg8: tensor<2x1x7xi1>, %arg9: tensor<i32>, %arg10: tensor<i32>) -> (tensor<3x20xui8> {jax.result_info = "result[0]"}, tensor<1xi1> {jax.result_info = "result[1]"}, tensor<3x3x13x2xf32> {jax.result_info = "result[2]"}, tensor<2x1x2x4x6xi1> {jax.result_info = "result[3]"}, tensor<2x1x3xi1> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[2], [1], [1], [2]], [[0], [1], [2], [2]]]> : tensor<2x4x1xui8>
    %0 = stablehlo.reshape %arg0 : (tensor<ui32>) -> tensor<1xui32>
    %c_0 = stablehlo.constant dense<0> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %2 = stablehlo.compare NE, %0, %1, UNSIGNED : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xi1>
    %3 = stablehlo.convert %2 : tensor<1xi1>
    %output_state, %output = stablehlo.rng_bit_generator %arg1, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x17xui8>)
    %4 = stablehlo.concatenate %output, %arg2, %arg3, dim = 1 : (tensor<3x17xui8>, tensor<3x2xui8>, tensor<3x1xui8>) -> tensor<3x20xui8>
    %5 = stablehlo.select %arg4, %3, %arg5 : tensor<i1>, tensor<1xi1>
    %6 = stablehlo.convolution(%arg6, %arg7) dim_numbers = [f, 1, 0, b]x[o, 1, i, 0]->[0, f, 1, b], window = {stride = [2, 1], pad = [[1, 2], [0, 0]], lhs_dilate = [1, 2], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x7x2x2xf32>, tensor<3x1x3x1xf32>) -> tensor<3x3x13x2xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %7 = stablehlo.convert %c : (tensor<2x4x1xui8>) -> tensor<2x4x1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x4x1xi32>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<2x4x1xi32>, tensor<2x4x1xi32>) -> tensor<2x4x1xi1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x4x1xi32>
    %12 = stablehlo.compare LE, %7, %11, SIGNED : (tensor<2x4x1xi32>, tensor<2x4x1xi32>) -> tensor<2x4x1xi1>
    %13 = stablehlo.and %9, %12 : tensor<2x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.reduce(%13 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x4x1xi1>, tensor<i1>) -> tensor<2x4xi1>
    %15 = "stablehlo.gather"(%arg8, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 4], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 6>}> : (tensor<2x1x7xi1>, tensor<2x4x1xi32>) -> tensor<2x1x2x4x6xi1>
    %16 = stablehlo.broadcast_in_dim %14, dims = [2, 3] : (tensor<2x4xi1>) -> tensor<2x1x2x4x6xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<2x1x2x4x6xi1>
    %18 = stablehlo.select %16, %15, %17 : tensor<2x1x2x4x6xi1>, tensor<2x1x2x4x6xi1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.compare LT, %arg9, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %20 = stablehlo.add %arg9, %c_6 : tensor<i32>
    %21 = stablehlo.select %19, %20, %arg9 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<-1> : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.compare LT, %c_7, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<-1> : tensor<i32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %23 = stablehlo.add %c_9, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<-1> : tensor<i32>
    %24 = stablehlo.select %22, %23, %c_11 : tensor<i1>, tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %arg10, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_13 = stablehlo.constant dense<7> : tensor<i32>
    %26 = stablehlo.add %arg10, %c_13 : tensor<i32>
    %27 = stablehlo.select %25, %26, %arg10 : tensor<i1>, tensor<i32>
    %28 = stablehlo.dynamic_slice %arg8, %21, %24, %27, sizes = [2, 1, 3] : (tensor<2x1x7xi1>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x3xi1>
    return %4, %5, %6, %18, %28 : tensor<3x20xui8>, tensor<1xi1>, tensor<3x3x13x2xf32>, tensor<2x1x2x4x6xi1>, tensor<2x1x3xi1>
  }
}
