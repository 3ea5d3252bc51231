module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x2x4xf16>, %arg1: tensor<2x5x2x4xf16>, %arg2: tensor<2x5x2x4xf16>, %arg3: tensor<2x17xf32>) -> (tensor<3x3xbf16> {jax.result_info = "result[0]"}, tensor<2x8x2x4xf16> {jax.result_info = "result[1]"}, tensor<2x17xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<2x17xcomplex<f32>> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[[[-5.419920e-02], [-9.094230e-03], [9.863280e-02]], [[8.056640e-02], [8.300780e-02], [1.484380e-01]], [[-1.269530e-01], [2.700810e-03], [1.434330e-02]]], [[[9.033200e-02], [6.640630e-02], [1.092530e-02]], [[-4.150390e-02], [1.129150e-02], [3.442380e-02]], [[7.666020e-02], [1.093750e-01], [1.357420e-01]]], [[[-2.136230e-02], [-1.098630e-01], [2.893070e-02]], [[9.582510e-03], [-8.496090e-02], [1.757810e-01]], [[3.198240e-02], [-4.150390e-02], [1.059570e-01]]]]> : tensor<3x3x3x1xbf16>
    %cst_0 = stablehlo.constant dense<[[-0.015067365, 0.0150425239, -0.0103082946, -0.00100751861, 8.846670e-03, -0.0130964089, -0.00616020896, -0.00837617926, 0.00974839553, 0.00526634697, 0.00937426183, -0.00976126268, 0.0222275555, 0.0126711428, 3.17180238E-4, 0.0124416547, -0.00383444037], [0.003362427, 0.0175893679, 0.0077732089, -0.00515133096, 0.0112316487, -0.00551891467, -0.0172010846, -0.00269963639, 0.0103624184, -0.0106523521, 0.00641682092, -6.982400e-03, 0.00967589765, 0.00497450354, -0.0088826688, -0.0106827179, 0.0149485888]]> : tensor<2x17xf32>
    %cst_1 = stablehlo.constant dense<[[(6.250000e-02,1.515625), (-5.000000e-01,-2.687500e+00), (-1.718750e+00,-9.843750e-01), (1.187500e+00,2.031250e+00), (-1.140625,6.406250e-01), (-1.343750e+00,-2.656250e+00), (-2.375000e+00,-1.171875), (-7.812500e-01,-1.562500e-01), (8.750000e-01,-5.625000e-01), (3.281250e-01,-1.718750e-01), (3.906250e-01,-1.093750e+00), (8.437500e-01,-1.437500e+00), (8.750000e-01,-1.250000e+00), (-4.375000e-01,1.562500e-02), (1.875000e-01,-7.500000e-01), (-7.656250e-01,3.750000e-01), (-1.171875,1.421875)], [(-1.328125,2.000000e+00), (1.375000e+00,1.375000e+00), (2.968750e-01,1.203125), (-4.218750e-01,1.718750e-01), (-1.171875,2.968750e-01), (-3.906250e-01,8.593750e-01), (-9.375000e-01,-3.281250e-01), (-5.781250e-01,2.187500e-01), (-3.750000e-01,-2.968750e-01), (-4.375000e-01,-1.578125), (1.000000e+00,-4.687500e-02), (-1.234375,-3.906250e-01), (4.531250e-01,-1.046875), (9.843750e-01,3.125000e-02), (4.062500e-01,1.718750e-01), (-2.500000e-01,1.109375), (2.812500e-01,1.609375)]]> : tensor<2x17xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %0 = stablehlo.reduce(%cst init: %cst_2) applies stablehlo.minimum across dimensions = [1, 3] : (tensor<3x3x3x1xbf16>, tensor<bf16>) -> tensor<3x3xbf16>
    %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x2x4xf16>, tensor<2x5x2x4xf16>) -> tensor<2x2x8x5xf16>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f16>
    %2 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<2x2x8x5xf16>
    %3 = stablehlo.multiply %1, %2 : tensor<2x2x8x5xf16>
    %cst_4 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %4 = stablehlo.reduce(%3 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x5xf16>, tensor<f16>) -> tensor<2x2x8xf16>
    %cst_5 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %5 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<2x2x8xf16>
    %6 = stablehlo.maximum %5, %4 : tensor<2x2x8xf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x2x8xf16>) -> tensor<2x2x8x1xf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf16>) -> tensor<2x2x8x5xf16>
    %9 = stablehlo.subtract %3, %8 : tensor<2x2x8x5xf16>
    %10 = stablehlo.exponential %9 : tensor<2x2x8x5xf16>
    %11 = stablehlo.convert %10 : (tensor<2x2x8x5xf16>) -> tensor<2x2x8x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x5xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %14 = stablehlo.convert %13 : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf16>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf16>) -> tensor<2x2x8x5xf16>
    %16 = stablehlo.divide %10, %15 : tensor<2x2x8x5xf16>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf16>, tensor<2x2x8x5xf16>) -> tensor<2x2x4x8xf16>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x2x4x8xf16>) -> tensor<2x8x2x4xf16>
    %19 = stablehlo.complex %arg3, %cst_0 : tensor<2x17xcomplex<f32>>
    %20 = stablehlo.divide %19, %cst_1 : tensor<2x17xcomplex<f32>>
    return %0, %18, %20, %19 : tensor<3x3xbf16>, tensor<2x8x2x4xf16>, tensor<2x17xcomplex<f32>>, tensor<2x17xcomplex<f32>>
  }
}
