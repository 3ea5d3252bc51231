module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<1xui16>, %arg3: tensor<ui16>, %arg4: tensor<ui16>, %arg5: tensor<f32>, %arg6: tensor<f32>) -> (tensor<4x1x2x1xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<1xui16> {jax.result_info = "result[2]"}, tensor<4x1x2x1xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[[[-6.406250e-01], [-7.343750e-01]]], [[[-1.250000e+00], [-1.031250e+00]]], [[[1.093750e-01], [-4.062500e-01]]], [[[5.781250e-01], [2.656250e-01]]]]> : tensor<4x1x2x1xf32>
    %0 = stablehlo.log_plus_one %cst : tensor<4x1x2x1xf32>
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %2 = stablehlo.compare GE, %arg1, %1, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %5 = stablehlo.compare LE, %arg1, %4, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %6 = stablehlo.and %2, %5 : tensor<3x1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.reduce(%6 init: %c_1) applies stablehlo.and across dimensions = [1] : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
    %8 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xf32>, tensor<3x1xi32>) -> tensor<3xf32>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.select %7, %8, %9 : tensor<3xi1>, tensor<3xf32>
    %11 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui16>) -> tensor<1xui16>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui16>) -> tensor<1xui16>
    %13 = stablehlo.clamp %11, %arg2, %12 : tensor<1xui16>
    %14 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f32>) -> tensor<4x1x2x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<4x1x2x1xf32>
    %16 = stablehlo.clamp %14, %cst, %15 : tensor<4x1x2x1xf32>
    return %0, %10, %13, %16 : tensor<4x1x2x1xf32>, tensor<3xf32>, tensor<1xui16>, tensor<4x1x2x1xf32>
  }
}
