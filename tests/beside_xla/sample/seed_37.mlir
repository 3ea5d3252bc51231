module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<2x4x2xf64>, %arg2: tensor<4x1x2xf64>, %arg3: tensor<i32>, %arg4: tensor<2xui64>, %arg5: tensor<2x8x1x8xf32>, %arg6: tensor<2x9x1x8xf32>, %arg7: tensor<2x9x1x8xf32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<2xui64> {jax.result_info = "result[2]"}, tensor<8x3xui32> {jax.result_info = "result[3]"}, tensor<2x8x1x8xf32> {jax.result_info = "result[4]"}, tensor<2x2x2xf64> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.maximum %cst_0, %0 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %4 = stablehlo.subtract %arg0, %3 : tensor<4xf32>
    %5 = stablehlo.exponential %4 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %9 = stablehlo.divide %5, %8 : tensor<4xf32>
    %10 = stablehlo.convolution(%arg1, %arg2) dim_numbers = [b, f, 0]x[i, 0, o]->[f, 0, b], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x2xf64>, tensor<4x1x2xf64>) -> tensor<2x2x2xf64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %11 = stablehlo.clamp %c, %arg3, %c_2 : tensor<i32>
    %12:2 = "stablehlo.case"(%11) ({
      stablehlo.return %9, %arg0 : tensor<4xf32>, tensor<4xf32>
    }, {
      stablehlo.return %arg0, %9 : tensor<4xf32>, tensor<4xf32>
    }, {
      %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %33 = stablehlo.multiply %9, %32 : tensor<4xf32>
      %34 = stablehlo.add %33, %arg0 : tensor<4xf32>
      stablehlo.return %arg0, %34 : tensor<4xf32>, tensor<4xf32>
    }) : (tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>)
    %output_state, %output = stablehlo.rng_bit_generator %arg4, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x3xui32>)
    %13 = stablehlo.dot_general %arg5, %arg6, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x1x8xf32>, tensor<2x9x1x8xf32>) -> tensor<2x1x8x9xf32>
    %cst_3 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x8x9xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x1x8x9xf32>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<8x9xi1>
    %17 = call @tril(%16) : (tensor<8x9xi1>) -> tensor<8x9xi1>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = call @_where(%17, %15, %cst_5) : (tensor<8x9xi1>, tensor<2x1x8x9xf32>, tensor<f32>) -> tensor<2x1x8x9xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x8x9xf32>, tensor<f32>) -> tensor<2x1x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x8xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<2x1x8xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x9xf32>
    %24 = stablehlo.subtract %18, %23 : tensor<2x1x8x9xf32>
    %25 = stablehlo.exponential %24 : tensor<2x1x8x9xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x1x8x9xf32>, tensor<f32>) -> tensor<2x1x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x1x8x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<2x1x8x1xf32>) -> tensor<2x1x8x9xf32>
    %29 = stablehlo.divide %25, %28 : tensor<2x1x8x9xf32>
    %30 = stablehlo.dot_general %arg7, %29, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x9x1x8xf32>, tensor<2x1x8x9xf32>) -> tensor<2x1x8x8xf32>
    %31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<2x1x8x8xf32>) -> tensor<2x8x1x8xf32>
    return %12#0, %12#1, %output_state, %output, %31, %10 : tensor<4xf32>, tensor<4xf32>, tensor<2xui64>, tensor<8x3xui32>, tensor<2x8x1x8xf32>, tensor<2x2x2xf64>
  }
  func.func private @tril(%arg0: tensor<8x9xi1>) -> tensor<8x9xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x9xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<8x9xi64>
    %2 = stablehlo.add %0, %1 : tensor<8x9xi64>
    %3 = stablehlo.iota dim = 1 : tensor<8x9xi64>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x9xi64>, tensor<8x9xi64>) -> tensor<8x9xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x9xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x9xi1>, tensor<8x9xi1>
    return %6 : tensor<8x9xi1>
  }
  func.func private @_where(%arg0: tensor<8x9xi1>, %arg1: tensor<2x1x8x9xf32>, %arg2: tensor<f32>) -> tensor<2x1x8x9xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x9xi1>) -> tensor<2x1x8x9xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x8x9xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x1x8x9xi1>, tensor<2x1x8x9xf32>
    return %2 : tensor<2x1x8x9xf32>
  }
}
