module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1xbf16>, %arg1: tensor<3x2xbf16>, %arg2: tensor<3x1xbf16>, %arg3: tensor<2xbf16>, %arg4: tensor<1x4x4x7xcomplex<f32>>, %arg5: tensor<1x4x4x7xcomplex<f32>>, %arg6: tensor<2xi32>) -> (tensor<3x1xbf16> {jax.result_info = "result[0]"}, tensor<1x4x4x7xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2xbf16> {jax.result_info = "result[2]"}, tensor<2xi1> {jax.result_info = "result[3]"}, tensor<2xi32> {jax.result_info = "result[4]"}, tensor<3x1xbf16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, b]x[o, i]->[f, b], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x1xbf16>, tensor<3x2xbf16>) -> tensor<3x1xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x1xbf16>) -> tensor<1x3xbf16>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1xbf16>, tensor<1x3xbf16>) -> tensor<3x3xbf16>
    %3 = stablehlo.convert %2 : (tensor<3x3xbf16>) -> tensor<3x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.convert %4 : (tensor<f32>) -> tensor<bf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %7 = stablehlo.convert %6 : (tensor<3x3xf32>) -> tensor<3x3xbf16>
    %8 = stablehlo.dot_general %7, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xbf16>, tensor<3x1xbf16>) -> tensor<3x1xbf16>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<3x1xbf16>) -> tensor<1x3xbf16>
    %10 = stablehlo.dot_general %7, %1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x3xbf16>, tensor<1x3xbf16>) -> tensor<3x1xbf16>
    %11 = stablehlo.transpose %9, dims = [1, 0] : (tensor<1x3xbf16>) -> tensor<3x1xbf16>
    %12 = stablehlo.add %10, %11 : tensor<3x1xbf16>
    %13 = stablehlo.sign %12 : tensor<3x1xbf16>
    %14 = stablehlo.sign %0 : tensor<3x1xbf16>
    %15 = stablehlo.divide %arg4, %arg5 : tensor<1x4x4x7xcomplex<f32>>
    %values, %indices = chlo.top_k(%arg3, k = 2) : tensor<2xbf16> -> (tensor<2xbf16>, tensor<2xi32>)
    %16 = stablehlo.compare GT, %indices, %arg6, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %17 = stablehlo.iota dim = 0 : tensor<2xi32>
    %18 = stablehlo.add %arg6, %17 : tensor<2xi32>
    return %14, %15, %values, %16, %18, %13 : tensor<3x1xbf16>, tensor<1x4x4x7xcomplex<f32>>, tensor<2xbf16>, tensor<2xi1>, tensor<2xi32>, tensor<3x1xbf16>
  }
}
