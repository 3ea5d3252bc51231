module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf16>, %arg1: tensor<16xf16>, %arg2: tensor<f16>) -> (tensor<16xf16> {jax.result_info = "result[0]"}, tensor<16xf16> {jax.result_info = "result[1]"}, tensor<17xf16> {jax.result_info = "result[2]"}, tensor<4x3x1x2xf16> {jax.result_info = "result[3]"}, tensor<16xf16> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[[6, 7]], [[5, -1]], [[9, -5]], [[3, 7]], [[12, 2]], [[12, 8]], [[-9, -4]], [[0, 8]]], [[[-7, 2]], [[-3, 9]], [[0, 4]], [[8, -7]], [[-2, 7]], [[8, -3]], [[12, -8]], [[10, 11]]], [[[-8, 2]], [[2, 10]], [[10, 6]], [[-9, 9]], [[0, -1]], [[-1, -5]], [[3, 6]], [[-3, 3]]]]> : tensor<3x8x1x2xi8>
    %cst = stablehlo.constant dense<[[[[1.000000e+00, -1.250000e+00]], [[-2.750000e+00, 2.750000e+00]], [[-1.000000e+00, -2.750000e+00]], [[2.500000e+00, 2.500000e-01]], [[-5.000000e-01, -2.250000e+00]], [[-1.000000e+00, 2.500000e-01]], [[-1.000000e+00, -2.500000e+00]], [[-2.500000e-01, 5.000000e-01]]], [[[-2.250000e+00, 2.500000e+00]], [[3.000000e+00, 2.250000e+00]], [[1.500000e+00, -1.750000e+00]], [[5.000000e-01, 0.000000e+00]], [[-1.750000e+00, -2.750000e+00]], [[-1.750000e+00, 2.500000e+00]], [[-3.000000e+00, 1.000000e+00]], [[-3.000000e+00, 3.000000e+00]]], [[[-7.500000e-01, 3.000000e+00]], [[1.000000e+00, 2.250000e+00]], [[-1.500000e+00, 2.000000e+00]], [[-2.500000e-01, -2.750000e+00]], [[1.250000e+00, -7.500000e-01]], [[2.500000e+00, -2.250000e+00]], [[1.750000e+00, 1.250000e+00]], [[1.250000e+00, -1.000000e+00]]]]> : tensor<3x8x1x2xf16>
    %cst_0 = stablehlo.constant dense<[[1.171880e+00, -1.531250e+00, -4.375000e-01, 4.531250e-01, -4.687500e-01, 9.531250e-01, 7.187500e-01, -1.250000e-01], [1.500000e+00, 9.062500e-01, 3.437500e-01, 1.218750e+00, -1.046880e+00, -2.031250e-01, 4.687500e-02, -3.437500e-01], [-1.015630e+00, 1.562500e-01, -2.109380e+00, -1.640630e+00, 5.625000e-01, 1.562500e-02, 5.312500e-01, -7.968750e-01], [1.875000e-01, -3.593750e-01, -6.718750e-01, -1.562500e-02, 4.531250e-01, 3.125000e-02, -8.750000e-01, 5.937500e-01]]> : tensor<4x8xf16>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %0 = call @cumprod(%arg1) : (tensor<16xf16>) -> tensor<16xf16>
    %cst_2 = stablehlo.constant dense<7.500000e-01> : tensor<f16>
    %1 = stablehlo.pad %0, %cst_2, low = [0], high = [0], interior = [0] : (tensor<16xf16>, tensor<f16>) -> tensor<16xf16>
    %2 = stablehlo.convert %c : (tensor<3x8x1x2xi8>) -> tensor<3x8x1x2xf16>
    %3 = stablehlo.pad %arg1, %arg2, low = [-2], high = [3], interior = [0] : (tensor<16xf16>, tensor<f16>) -> tensor<17xf16>
    %4 = chlo.next_after %2, %cst : tensor<3x8x1x2xf16>, tensor<3x8x1x2xf16> -> tensor<3x8x1x2xf16>
    %5 = stablehlo.dot_general %cst_0, %4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf16>, tensor<3x8x1x2xf16>) -> tensor<4x3x1x2xf16>
    return %arg0, %1, %3, %5, %arg1 : tensor<16xf16>, tensor<16xf16>, tensor<17xf16>, tensor<4x3x1x2xf16>, tensor<16xf16>
  }
  func.func private @cumprod(%arg0: tensor<16xf16>) -> tensor<16xf16> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[15, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 16>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<f16>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f16>
      stablehlo.return %1 : tensor<f16>
    }) : (tensor<16xf16>, tensor<f16>) -> tensor<16xf16>
    return %0 : tensor<16xf16>
  }
}
