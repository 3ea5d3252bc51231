module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xbf16>, %arg1: tensor<bf16>, %arg2: tensor<7x1x8xui64>, %arg3: tensor<2x8x1x2xf32>, %arg4: tensor<2x2x1x2xf32>, %arg5: tensor<2x2x1x2xf32>) -> (tensor<7x1x8xui64> {jax.result_info = "result[0]"}, tensor<2x8x1x2xf32> {jax.result_info = "result[1]"}, tensor<16xbf16> {jax.result_info = "result[2]"}, tensor<4x0x4xui64> {jax.result_info = "result[3]"}, tensor<4x14xui64> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[4, 6, 2, 1, 11, 1, 6, 0]], [[0, 7, 8, 9, 0, 1, 7, 11]], [[8, 6, 8, 4, 11, 0, 2, 5]], [[3, 7, 1, 9, 0, 4, 2, 11]], [[1, 12, 10, 8, 1, 6, 8, 5]], [[3, 4, 9, 2, 12, 2, 0, 2]], [[2, 11, 10, 5, 2, 8, 8, 7]]]> : tensor<7x1x8xui64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16xbf16>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_12 = %c_0, %iterArg_13 = %arg1, %iterArg_14 = %0) : tensor<16xbf16>, tensor<i64>, tensor<bf16>, tensor<16xbf16>
    cond {
      %c_15 = stablehlo.constant dense<16> : tensor<i64>
      %39 = stablehlo.compare LT, %iterArg_12, %c_15, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %c_15 = stablehlo.constant dense<16> : tensor<i64>
      %39 = stablehlo.subtract %c_15, %iterArg_12 : tensor<i64>
      %c_16 = stablehlo.constant dense<1> : tensor<i64>
      %40 = stablehlo.subtract %39, %c_16 : tensor<i64>
      %41 = func.call @dynamic_index_in_dim(%iterArg, %40) : (tensor<16xbf16>, tensor<i64>) -> tensor<bf16>
      %42:2 = func.call @closed_call(%iterArg_13, %41) : (tensor<bf16>, tensor<bf16>) -> (tensor<bf16>, tensor<bf16>)
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_14, %42#1, %40) : (tensor<16xbf16>, tensor<bf16>, tensor<i64>) -> tensor<16xbf16>
      %c_17 = stablehlo.constant dense<1> : tensor<i64>
      %44 = stablehlo.add %iterArg_12, %c_17 : tensor<i64>
      stablehlo.return %iterArg, %44, %42#0, %43 : tensor<16xbf16>, tensor<i64>, tensor<bf16>, tensor<16xbf16>
    }
    %2 = stablehlo.shift_left %c, %arg2 : tensor<7x1x8xui64>
    %c_1 = stablehlo.constant dense<0> : tensor<ui64>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<7x1x8xui64>
    %4 = stablehlo.compare EQ, %2, %3, UNSIGNED : (tensor<7x1x8xui64>, tensor<7x1x8xui64>) -> tensor<7x1x8xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<ui64>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui64>) -> tensor<7x1x8xui64>
    %c_3 = stablehlo.constant dense<1> : tensor<ui64>
    %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui64>) -> tensor<7x1x8xui64>
    %7 = stablehlo.select %4, %5, %6 : tensor<7x1x8xi1>, tensor<7x1x8xui64>
    %8 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x1x2xf32>, tensor<2x2x1x2xf32>) -> tensor<2x1x8x2xf32>
    %cst_4 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x8x2xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x1x8x2xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x8x2xf32>, tensor<f32>) -> tensor<2x1x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1x8xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x1x8xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x2xf32>
    %16 = stablehlo.subtract %10, %15 : tensor<2x1x8x2xf32>
    %17 = stablehlo.exponential %16 : tensor<2x1x8x2xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x1x8x2xf32>, tensor<f32>) -> tensor<2x1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x2xf32>
    %21 = stablehlo.divide %17, %20 : tensor<2x1x8x2xf32>
    %22 = stablehlo.dot_general %arg5, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x1x2xf32>, tensor<2x1x8x2xf32>) -> tensor<2x1x2x8xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x1x2x8xf32>) -> tensor<2x8x1x2xf32>
    %cst_8 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %24 = stablehlo.reduce(%1#3 init: %cst_8) applies stablehlo.maximum across dimensions = [0] : (tensor<16xbf16>, tensor<bf16>) -> tensor<bf16>
    %cst_9 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %25 = stablehlo.maximum %cst_9, %24 : tensor<bf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<bf16>) -> tensor<1xbf16>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<1xbf16>) -> tensor<16xbf16>
    %28 = stablehlo.subtract %1#3, %27 : tensor<16xbf16>
    %29 = stablehlo.exponential %28 : tensor<16xbf16>
    %30 = stablehlo.convert %29 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %33 = stablehlo.convert %32 : (tensor<1xf32>) -> tensor<1xbf16>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<1xbf16>) -> tensor<16xbf16>
    %35 = stablehlo.divide %29, %34 : tensor<16xbf16>
    %c_11 = stablehlo.constant dense<0> : tensor<ui64>
    %36 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui64>) -> tensor<ui64>
    %37 = "stablehlo.reduce_window"(%2, %36) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[2, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 2, 2>, window_dimensions = array<i64: 3, 2, 3>, window_strides = array<i64: 2, 3, 3>}> ({
    ^bb0(%arg6: tensor<ui64>, %arg7: tensor<ui64>):
      %39 = stablehlo.add %arg6, %arg7 : tensor<ui64>
      stablehlo.return %39 : tensor<ui64>
    }) : (tensor<7x1x8xui64>, tensor<ui64>) -> tensor<4x0x4xui64>
    %38 = stablehlo.reshape %2 : (tensor<7x1x8xui64>) -> tensor<4x14xui64>
    return %7, %23, %35, %37, %38 : tensor<7x1x8xui64>, tensor<2x8x1x2xf32>, tensor<16xbf16>, tensor<4x0x4xui64>, tensor<4x14xui64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16xbf16>, %arg1: tensor<i64>) -> tensor<bf16> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<16xbf16>, tensor<i64>) -> tensor<1xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1xbf16>) -> tensor<bf16>
    return %1 : tensor<bf16>
  }
  func.func private @closed_call(%arg0: tensor<bf16>, %arg1: tensor<bf16>) -> (tensor<bf16>, tensor<bf16>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %0 = stablehlo.multiply %arg0, %cst : tensor<bf16>
    %1 = stablehlo.add %0, %arg1 : tensor<bf16>
    return %1, %arg0 : tensor<bf16>, tensor<bf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16xbf16>, %arg1: tensor<bf16>, %arg2: tensor<i64>) -> tensor<16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<bf16>) -> tensor<1xbf16>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<16xbf16>, tensor<1xbf16>, tensor<i64>) -> tensor<16xbf16>
    return %1 : tensor<16xbf16>
  }
}
