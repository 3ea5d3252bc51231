module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8x1xui64>, %arg1: tensor<8xf16>, %arg2: tensor<ui64>, %arg3: tensor<ui64>, %arg4: tensor<5xf64>, %arg5: tensor<1xf64>) -> (tensor<8xf16> {jax.result_info = "result[0]"}, tensor<8xf16> {jax.result_info = "result[1]"}, tensor<4x8x1xui64> {jax.result_info = "result[2]"}, tensor<11xf64> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<[[[7], [2], [12], [2], [10], [2], [2], [3]], [[7], [10], [3], [5], [9], [7], [9], [2]], [[6], [0], [6], [11], [6], [0], [7], [1]], [[11], [6], [5], [3], [0], [11], [4], [11]]]> : tensor<4x8x1xui64>
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<4x8x1xui64>
    %1 = stablehlo.not %0 : tensor<4x8x1xui64>
    %2 = stablehlo.convert %arg1 : (tensor<8xf16>) -> tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<1xf32>
    %7 = stablehlo.convert %6 : (tensor<1xf32>) -> tensor<1xf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xf16>) -> tensor<8xf16>
    %9 = stablehlo.subtract %arg1, %8 : tensor<8xf16>
    %10 = chlo.square %9 : tensor<8xf16> -> tensor<8xf16>
    %11 = stablehlo.convert %10 : (tensor<8xf16>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<1xf32>
    %16 = stablehlo.convert %15 : (tensor<1xf32>) -> tensor<1xf16>
    %17 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xf16>) -> tensor<8xf16>
    %18 = stablehlo.subtract %arg1, %17 : tensor<8xf16>
    %cst_3 = stablehlo.constant dense<1.000400e-03> : tensor<f16>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<1xf16>
    %20 = stablehlo.add %16, %19 : tensor<1xf16>
    %21 = stablehlo.rsqrt %20 : tensor<1xf16>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<1xf16>) -> tensor<8xf16>
    %23 = stablehlo.multiply %18, %22 : tensor<8xf16>
    %24 = stablehlo.reduce_precision %arg1, format = e8m2 : tensor<8xf16>
    %25 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<ui64>) -> tensor<4x8x1xui64>
    %26 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui64>) -> tensor<4x8x1xui64>
    %27 = stablehlo.clamp %25, %1, %26 : tensor<4x8x1xui64>
    %28 = stablehlo.multiply %27, %c : tensor<4x8x1xui64>
    %29 = stablehlo.concatenate %arg4, %arg4, %arg5, dim = 0 : (tensor<5xf64>, tensor<5xf64>, tensor<1xf64>) -> tensor<11xf64>
    return %23, %24, %28, %29 : tensor<8xf16>, tensor<8xf16>, tensor<4x8x1xui64>, tensor<11xf64>
  }
}
