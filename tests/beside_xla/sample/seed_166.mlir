module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x2x1x7xui32>, %arg1: tensor<1x2xui32>, %arg2: tensor<16xf16>, %arg3: tensor<i1>, %arg4: tensor<f32>, %arg5: tensor<1x1x9x1xf32>) -> (tensor<1x2xi1> {jax.result_info = "result[0]"}, tensor<1xui32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<16xf16> {jax.result_info = "result[3]"}, tensor<1x4x3x9xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[[1.750000e+00, 2.000000e+00, 2.000000e+00], [-2.250000e+00, -2.500000e-01, -5.000000e-01], [2.500000e-01, -2.500000e-01, -1.500000e+00], [-1.750000e+00, 1.250000e+00, -2.000000e+00]]], [[[5.000000e-01, -3.000000e+00, 5.000000e-01], [1.250000e+00, -2.500000e+00, 1.250000e+00], [1.250000e+00, 1.17549435E-38, -1.000000e+00], [1.250000e+00, 1.000000e+00, -1.250000e+00]]], [[[-1.250000e+00, 5.000000e-01, -1.500000e+00], [-7.500000e-01, -1.500000e+00, 0x7FC00000], [-1.000000e+00, -5.000000e-01, -1.250000e+00], [2.750000e+00, 1.750000e+00, 5.000000e-01]]]]> : tensor<3x1x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.xor across dimensions = [2, 3] : (tensor<1x2x1x7xui32>, tensor<ui32>) -> tensor<1x2xui32>
    %1 = stablehlo.compare EQ, %0, %arg1, UNSIGNED : (tensor<1x2xui32>, tensor<1x2xui32>) -> tensor<1x2xi1>
    %2 = stablehlo.dot_general %arg1, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2xui32>, tensor<1x2xui32>) -> tensor<1xui32>
    %3 = stablehlo.dot_general %arg2, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf16>, tensor<16xf16>) -> tensor<f32>
    %4 = stablehlo.is_finite %3 : (tensor<f32>) -> tensor<i1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = call @_where(%4, %3, %cst_0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.select %arg3, %5, %arg4 : tensor<i1>, tensor<f32>
    %7 = stablehlo.convert %arg2 : (tensor<16xf16>) -> tensor<16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<1xf32>
    %12 = stablehlo.convert %11 : (tensor<1xf32>) -> tensor<1xf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf16>) -> tensor<16xf16>
    %14 = stablehlo.subtract %arg2, %13 : tensor<16xf16>
    %15 = chlo.square %14 : tensor<16xf16> -> tensor<16xf16>
    %16 = stablehlo.convert %15 : (tensor<16xf16>) -> tensor<16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %20 = stablehlo.divide %18, %19 : tensor<1xf32>
    %21 = stablehlo.convert %20 : (tensor<1xf32>) -> tensor<1xf16>
    %22 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf16>) -> tensor<16xf16>
    %23 = stablehlo.subtract %arg2, %22 : tensor<16xf16>
    %cst_5 = stablehlo.constant dense<1.000400e-03> : tensor<f16>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<1xf16>
    %25 = stablehlo.add %21, %24 : tensor<1xf16>
    %26 = stablehlo.rsqrt %25 : tensor<1xf16>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<1xf16>) -> tensor<16xf16>
    %28 = stablehlo.multiply %23, %27 : tensor<16xf16>
    %29 = stablehlo.convolution(%cst, %arg5) dim_numbers = [1, b, 0, f]x[0, i, o, 1]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x1x4x3xf32>, tensor<1x1x9x1xf32>) -> tensor<1x4x3x9xf32>
    return %1, %2, %6, %28, %29 : tensor<1x2xi1>, tensor<1xui32>, tensor<f32>, tensor<16xf16>, tensor<1x4x3x9xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
}
