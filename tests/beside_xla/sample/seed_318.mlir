module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x7x2x3xbf16>, %arg1: tensor<5x7x2x2x4x3xbf16>, %arg2: tensor<1x9x5x3xui32>, %arg3: tensor<9xbf16>, %arg4: tensor<200xbf16>, %arg5: tensor<1xui8>) -> (tensor<27x5xf32> {jax.result_info = "result[0]"}, tensor<50xbf16> {jax.result_info = "result[1]"}, tensor<3xbf16> {jax.result_info = "result[2]"}, tensor<3xi32> {jax.result_info = "result[3]"}, tensor<9xi1> {jax.result_info = "result[4]"}, tensor<7x3x5x2xbf16> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[2.562500e+00, -2.656250e-01, 4.687500e-01, -1.093750e-01, 3.125000e-01, 3.389530e+38, 8.281250e-01, 5.468750e-01, -1.609380e+00]> : tensor<9xbf16>
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [1, 5] x [1, 3], contracting_dims = [2, 4] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<5x7x2x2x4x3xbf16>, tensor<4x7x2x3xbf16>) -> tensor<7x3x5x2xbf16>
    %1 = stablehlo.convert %arg2 : (tensor<1x9x5x3xui32>) -> tensor<1x9x5x3xi4>
    %2 = stablehlo.subtract %1, %1 : tensor<1x9x5x3xi4>
    %3 = stablehlo.convert %2 : (tensor<1x9x5x3xi4>) -> tensor<1x9x5x3xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x9x5x3xf32>) -> tensor<27x5xf32>
    %5 = stablehlo.compare GE, %arg3, %cst, FLOAT : (tensor<9xbf16>, tensor<9xbf16>) -> tensor<9xi1>
    %c = stablehlo.constant dense<150> : tensor<1xi32>
    %6 = stablehlo.convert %arg5 : (tensor<1xui8>) -> tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %9 = stablehlo.compare LE, %6, %c, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %10 = stablehlo.and %8, %9 : tensor<1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_1) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %12 = "stablehlo.gather"(%arg4, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 50>}> : (tensor<200xbf16>, tensor<1xi32>) -> tensor<50xbf16>
    %13 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i1>) -> tensor<50xi1>
    %cst_2 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<50xbf16>
    %15 = stablehlo.select %13, %12, %14 : tensor<50xi1>, tensor<50xbf16>
    %values, %indices = chlo.top_k(%cst, k = 3) : tensor<9xbf16> -> (tensor<3xbf16>, tensor<3xi32>)
    %16 = stablehlo.reverse %5, dims = [0] : tensor<9xi1>
    return %4, %15, %values, %indices, %16, %0 : tensor<27x5xf32>, tensor<50xbf16>, tensor<3xbf16>, tensor<3xi32>, tensor<9xi1>, tensor<7x3x5x2xbf16>
  }
}
