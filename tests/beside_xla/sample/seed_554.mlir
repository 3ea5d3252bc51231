module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x7x1xf32>, %arg1: tensor<f32>, %arg2: tensor<8x7x1xf32>, %arg3: tensor<33xf32>, %arg4: tensor<f32>, %arg5: tensor<2x4x2x4xf32>) -> (tensor<8x7x1xi1> {jax.result_info = "result[0]"}, tensor<17xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<33xf32> {jax.result_info = "result[2]"}, tensor<8x7x1xf32> {jax.result_info = "result[3]"}, tensor<3x4x2x4xi32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[[1.500000e+00, -2.500000e+00, 1.750000e+00, -1.250000e+00], [-2.000000e+00, 7.500000e-01, -2.750000e+00, 1.750000e+00], [-1.000000e+00, -2.500000e+00, 1.750000e+00, -7.500000e-01]], [[-3.000000e+00, -2.000000e+00, -7.500000e-01, 1.250000e+00], [-2.250000e+00, -2.500000e+00, 1.500000e+00, 1.750000e+00], [-2.250000e+00, 3.000000e+00, -1.000000e+00, -7.500000e-01]]], [[[7.500000e-01, -1.500000e+00, -2.500000e+00, -2.000000e+00], [1.500000e+00, 1.500000e+00, 3.000000e+00, -3.000000e+00], [-2.000000e+00, -1.750000e+00, 5.000000e-01, 1.750000e+00]], [[0.000000e+00, -1.250000e+00, 1.500000e+00, -2.750000e+00], [-2.750000e+00, 3.000000e+00, -3.000000e+00, 2.500000e-01], [5.000000e-01, 3.000000e+00, 1.250000e+00, -2.250000e+00]]]]> : tensor<2x2x3x4xf32>
    %0 = stablehlo.pad %arg0, %arg1, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x7x1xf32>, tensor<f32>) -> tensor<8x7x1xf32>
    %1 = stablehlo.compare GE, %arg0, %arg2, FLOAT : (tensor<8x7x1xf32>, tensor<8x7x1xf32>) -> tensor<8x7x1xi1>
    %2 = stablehlo.abs %arg3 : tensor<33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %4 = stablehlo.compare LT, %2, %3, FLOAT : (tensor<33xf32>, tensor<33xf32>) -> tensor<33xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %6 = call @_where(%4, %arg3, %5) : (tensor<33xi1>, tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
    %7 = call @fft(%6) : (tensor<33xf32>) -> tensor<17xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<-0.00657501491> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %10 = stablehlo.clamp %8, %arg3, %9 : tensor<33xf32>
    %11 = stablehlo.multiply %arg0, %0 : tensor<8x7x1xf32>
    %12 = stablehlo.convolution(%arg5, %cst) dim_numbers = [f, b, 1, 0]x[i, 0, 1, o]->[1, f, b, 0], window = {stride = [2, 1], pad = [[2, 2], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x2x4xf32>, tensor<2x2x3x4xf32>) -> tensor<3x4x2x4xf32>
    %13 = stablehlo.bitcast_convert %12 : (tensor<3x4x2x4xf32>) -> tensor<3x4x2x4xi32>
    return %1, %7, %10, %11, %13 : tensor<8x7x1xi1>, tensor<17xcomplex<f32>>, tensor<33xf32>, tensor<8x7x1xf32>, tensor<3x4x2x4xi32>
  }
  func.func private @_where(%arg0: tensor<33xi1>, %arg1: tensor<33xf32>, %arg2: tensor<33xf32>) -> tensor<33xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<33xi1>, tensor<33xf32>
    return %0 : tensor<33xf32>
  }
  func.func private @fft(%arg0: tensor<33xf32>) -> tensor<17xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [33] : (tensor<33xf32>) -> tensor<17xcomplex<f32>>
    return %0 : tensor<17xcomplex<f32>>
  }
}
