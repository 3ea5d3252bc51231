module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xui64>, %arg1: tensor<8x1xbf16>, %arg2: tensor<3x7x2xui8>, %arg3: tensor<3x4x2xui8>, %arg4: tensor<2xui64>, %arg5: tensor<8x1xbf16>, %arg6: tensor<8x1xi1>) -> (tensor<3x15x2xui8> {jax.result_info = "result[0]"}, tensor<2xui64> {jax.result_info = "result[1]"}, tensor<2x4xui32> {jax.result_info = "result[2]"}, tensor<5x1x5x3xui32> {jax.result_info = "result[3]"}, tensor<8x1xi1> {jax.result_info = "result[4]"}, tensor<8x1xbf16> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<[[[11, 3], [12, 4], [10, 9], [10, 12]], [[4, 7], [11, 2], [10, 0], [10, 2]], [[10, 0], [9, 0], [4, 11], [2, 8]]]> : tensor<3x4x2xui8>
    %c_0 = stablehlo.constant dense<[[false], [true], [true], [false], [false], [true], [false], [false]]> : tensor<8x1xi1>
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x5xui32>)
    %0 = stablehlo.concatenate %arg2, %c, %arg3, dim = 1 : (tensor<3x7x2xui8>, tensor<3x4x2xui8>, tensor<3x4x2xui8>) -> tensor<3x15x2xui8>
    %output_state_1, %output_2 = stablehlo.rng_bit_generator %arg4, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x4xui32>)
    %1 = stablehlo.broadcast_in_dim %output, dims = [0, 2] : (tensor<5x5xui32>) -> tensor<5x1x5x3xui32>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<8x1xbf16>
    %3 = stablehlo.convert %2 : (tensor<8x1xbf16>) -> tensor<8x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.convert %4 : (tensor<8xf32>) -> tensor<8xbf16>
    %6 = stablehlo.sqrt %5 : tensor<8xbf16>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
    %8 = stablehlo.divide %7, %6 : tensor<8xbf16>
    %9 = stablehlo.convert %6 : (tensor<8xbf16>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.convert %10 : (tensor<f32>) -> tensor<bf16>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.convert %12 : (tensor<8xf32>) -> tensor<8xbf16>
    %14 = stablehlo.multiply %13, %8 : tensor<8xbf16>
    %15 = stablehlo.convert %14 : (tensor<8xbf16>) -> tensor<8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %17 = stablehlo.convert %16 : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %18 = stablehlo.multiply %arg1, %17 : tensor<8x1xbf16>
    %19 = stablehlo.multiply %17, %arg1 : tensor<8x1xbf16>
    %20 = stablehlo.add %18, %19 : tensor<8x1xbf16>
    %21 = stablehlo.compare LE, %20, %arg1, FLOAT : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xi1>
    %22 = stablehlo.select %c_0, %21, %arg6 : tensor<8x1xi1>, tensor<8x1xi1>
    return %0, %output_state_1, %output_2, %1, %22, %20 : tensor<3x15x2xui8>, tensor<2xui64>, tensor<2x4xui32>, tensor<5x1x5x3xui32>, tensor<8x1xi1>, tensor<8x1xbf16>
  }
}
