module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>, %arg1: tensor<f32>, %arg2: tensor<3x3x1xui8>, %arg3: tensor<3x3xf32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<3x3xf32>, %arg7: tensor<3x1x1xui16>, %arg8: tensor<3x1x1xui16>, %arg9: tensor<8x1x7x3xf32>) -> (tensor<5x2x1x17x3xf32> {jax.result_info = "result[0]"}, tensor<3x1x1xui16> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<8x7x3x6x3xf32> {jax.result_info = "result[3]"}, tensor<3x3xf32> {jax.result_info = "result[4]"}, tensor<3x3xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[[[1.750000e+00, 2.500000e+00, -5.000000e-01], [2.000000e+00, -1.000000e+00, 2.500000e+00], [0.000000e+00, 2.250000e+00, 2.500000e+00], [5.000000e-01, 1.750000e+00, -2.750000e+00], [1.500000e+00, -2.750000e+00, 1.000000e+00], [-3.40282347E+38, 1.250000e+00, 0.000000e+00]]]> : tensor<1x6x3xf32>
    %0 = stablehlo.pad %arg0, %arg1, low = [-1], high = [-2], interior = [1] : (tensor<17xf32>, tensor<f32>) -> tensor<30xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<17xf32>) -> tensor<5x2x1x17x3xf32>
    %c = stablehlo.constant dense<29> : tensor<1xi32>
    %2 = stablehlo.convert %arg2 : (tensor<3x3x1xui8>) -> tensor<3x3x1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x3x1xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x1xi1>
    %5 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x3x1xi32>
    %7 = stablehlo.compare LE, %2, %6, SIGNED : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x1xi1>
    %8 = stablehlo.and %4, %7 : tensor<3x3x1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_1) applies stablehlo.and across dimensions = [2] : (tensor<3x3x1xi1>, tensor<i1>) -> tensor<3x3xi1>
    %10 = "stablehlo.gather"(%0, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<30xf32>, tensor<3x3x1xi32>) -> tensor<3x3xf32>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %12 = stablehlo.select %9, %10, %11 : tensor<3x3xi1>, tensor<3x3xf32>
    %13 = stablehlo.maximum %12, %arg3 : tensor<3x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.compare LT, %arg4, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %15 = stablehlo.add %arg4, %c_4 : tensor<i32>
    %16 = stablehlo.select %14, %15, %arg4 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %arg5, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.add %arg5, %c_6 : tensor<i32>
    %19 = stablehlo.select %17, %18, %arg5 : tensor<i1>, tensor<i32>
    %20 = stablehlo.dynamic_update_slice %13, %arg6, %16, %19 : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<i32>) -> tensor<3x3xf32>
    %21 = stablehlo.and %arg7, %arg8 : tensor<3x1x1xui16>
    %22 = stablehlo.subtract %20, %arg3 : tensor<3x3xf32>
    %23 = stablehlo.dot_general %arg9, %cst, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x1x7x3xf32>, tensor<1x6x3xf32>) -> tensor<8x7x3x6x3xf32>
    %24 = stablehlo.sqrt %13 : tensor<3x3xf32>
    return %1, %21, %22, %23, %24, %20 : tensor<5x2x1x17x3xf32>, tensor<3x1x1xui16>, tensor<3x3xf32>, tensor<8x7x3x6x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
