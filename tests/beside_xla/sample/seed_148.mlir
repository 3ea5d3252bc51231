module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9x5xf32>, %arg3: tensor<5xui8>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<1x8x1x8xf32> {jax.result_info = "result[2]"}, tensor<2x9x3xf32> {jax.result_info = "result[3]"}, tensor<5xui8> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[[-5.000000e-01, 3.40282347E+38, 7.500000e-01, 5.000000e-01, 0.000000e+00, -5.000000e-01, 1.000000e+00, -1.250000e+00]], [[-1.250000e+00, 2.000000e+00, 2.000000e+00, -3.000000e+00, -2.750000e+00, 1.750000e+00, 7.500000e-01, 2.750000e+00]], [[5.000000e-01, 2.000000e+00, 2.000000e+00, 2.750000e+00, -1.250000e+00, 1.750000e+00, -1.750000e+00, -5.000000e-01]], [[1.500000e+00, -2.500000e+00, 1.000000e+00, -3.000000e+00, 1.250000e+00, -1.750000e+00, -2.500000e-01, -1.750000e+00]], [[2.750000e+00, 1.000000e+00, 2.000000e+00, -1.250000e+00, 1.750000e+00, 3.000000e+00, -2.500000e-01, -2.750000e+00]], [[1.000000e+00, 1.750000e+00, 0.000000e+00, -1.500000e+00, -2.500000e+00, -2.500000e+00, -2.250000e+00, -1.750000e+00]], [[-1.750000e+00, 1.000000e+00, 1.000000e+00, -2.500000e-01, -2.500000e-01, -5.000000e-01, 2.500000e-01, 0.000000e+00]], [[2.500000e+00, 3.000000e+00, 1.250000e+00, 1.750000e+00, -2.500000e-01, -2.000000e+00, 1.000000e+00, 1.401300e-45]]]]> : tensor<1x8x1x8xf32>
    %cst_0 = stablehlo.constant dense<[[[[3.125000e-01, -4.687500e-01, -9.375000e-02, -2.000000e+00, 0x7F800000, -1.031250e+00, 1.562500e-02, -1.406250e-01]], [[-0.000000e+00, 7.031250e-01, -2.500000e-01, 2.656250e-01, -0.000000e+00, 4.687500e-01, -2.812500e-01, -0.000000e+00]]]]> : tensor<1x2x1x8xf32>
    %cst_1 = stablehlo.constant dense<[[[[0x7FC00000, -5.000000e-01, 2.250000e+00, -1.750000e+00, -2.750000e+00, 2.000000e+00, -2.000000e+00, 1.17549435E-38]], [[-1.250000e+00, -1.250000e+00, 0.000000e+00, -1.000000e+00, -2.500000e-01, 1.500000e+00, 2.000000e+00, -2.500000e-01]]]]> : tensor<1x2x1x8xf32>
    %c = stablehlo.constant dense<[11, 11, 0, 3, 11]> : tensor<5xui8>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %arg0, %iterArg_11 = %arg1) : tensor<i64>, tensor<i64>, tensor<9xf32>, tensor<9xf32>
    cond {
      %c_12 = stablehlo.constant dense<1> : tensor<i64>
      %23 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %23:3 = func.call @closed_call(%iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i64>, tensor<9xf32>, tensor<9xf32>) -> (tensor<i64>, tensor<9xf32>, tensor<9xf32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i64>
      %24 = stablehlo.add %iterArg, %c_12 : tensor<i64>
      stablehlo.return %24, %23#0, %23#1, %23#2 : tensor<i64>, tensor<i64>, tensor<9xf32>, tensor<9xf32>
    }
    %1 = stablehlo.dot_general %0#3, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9xf32>, tensor<9x5xf32>) -> tensor<5xf32>
    %2 = stablehlo.is_finite %1 : (tensor<5xf32>) -> tensor<5xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = call @_where(%2, %1, %cst_4) : (tensor<5xi1>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
    %4 = stablehlo.tanh %3 : tensor<5xf32>
    %5 = stablehlo.dot_general %cst, %cst_0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x1x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x1x8x2xf32>
    %cst_5 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x8x2xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<1x1x8x2xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x8x2xf32>, tensor<f32>) -> tensor<1x1x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x1x8xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<1x1x8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<1x1x8x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x8x1xf32>) -> tensor<1x1x8x2xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<1x1x8x2xf32>
    %14 = stablehlo.exponential %13 : tensor<1x1x8x2xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<1x1x8x2xf32>, tensor<f32>) -> tensor<1x1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<1x1x8x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x8x1xf32>) -> tensor<1x1x8x2xf32>
    %18 = stablehlo.divide %14, %17 : tensor<1x1x8x2xf32>
    %19 = stablehlo.dot_general %cst_1, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x1x8xf32>, tensor<1x1x8x2xf32>) -> tensor<1x1x8x8xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<1x1x8x8xf32>) -> tensor<1x8x1x8xf32>
    %21 = stablehlo.broadcast_in_dim %0#3, dims = [1] : (tensor<9xf32>) -> tensor<2x9x3xf32>
    %22 = stablehlo.or %c, %arg3 : tensor<5xui8>
    return %0#2, %4, %20, %21, %22 : tensor<9xf32>, tensor<5xf32>, tensor<1x8x1x8xf32>, tensor<2x9x3xf32>, tensor<5xui8>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> (tensor<i64>, tensor<9xf32>, tensor<9xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<9xf32>
    return %0, %2, %arg1 : tensor<i64>, tensor<9xf32>, tensor<9xf32>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xf32>, %arg2: tensor<f32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<5xi1>, tensor<5xf32>
    return %1 : tensor<5xf32>
  }
}
