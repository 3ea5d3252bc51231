module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x7x1xf64>, %arg1: tensor<9x7x1xf64>, %arg2: tensor<1x7x2x2xf32>, %arg3: tensor<3x1x1x2xf32>, %arg4: tensor<f32>) -> (tensor<21x3xf64> {jax.result_info = "result[0]"}, tensor<2x2x1x13xf32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<9x1xi32> {jax.result_info = "result[3]"}, tensor<9x1xi32> {jax.result_info = "result[4]"}, tensor<9x1xi32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<9x7x1xf64>) -> tensor<21x3xf64>
    %1 = stablehlo.reshape %arg0 : (tensor<9x7x1xf64>) -> tensor<63x1xf64>
    %2 = stablehlo.abs %arg0 : tensor<9x7x1xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<9x7x1xf64>
    %4 = stablehlo.compare GE, %arg0, %3, FLOAT : (tensor<9x7x1xf64>, tensor<9x7x1xf64>) -> tensor<9x7x1xi1>
    %5 = stablehlo.log_plus_one %2 : tensor<9x7x1xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<9x7x1xf64>
    %7 = stablehlo.add %2, %6 : tensor<9x7x1xf64>
    %8 = stablehlo.multiply %5, %arg1 : tensor<9x7x1xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x7x1xf64>, tensor<f64>) -> tensor<f64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<9x7x1xf64>
    %11 = stablehlo.multiply %10, %arg1 : tensor<9x7x1xf64>
    %12 = stablehlo.divide %11, %7 : tensor<9x7x1xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<9x7x1xf64>
    %14 = stablehlo.select %4, %13, %12 : tensor<9x7x1xi1>, tensor<9x7x1xf64>
    %15 = stablehlo.select %4, %12, %13 : tensor<9x7x1xi1>, tensor<9x7x1xf64>
    %16 = stablehlo.negate %14 : tensor<9x7x1xf64>
    %17 = stablehlo.add %15, %16 : tensor<9x7x1xf64>
    %18 = call @argmin(%17) : (tensor<9x7x1xf64>) -> tensor<9x1xi32>
    %19 = stablehlo.abs %18 : tensor<9x1xi32>
    %20 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [f, 1, 0, b]x[0, i, 1, o]->[f, b, 0, 1], window = {stride = [2, 1], pad = [[1, 2], [0, 0]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x2x2xf32>, tensor<3x1x1x2xf32>) -> tensor<2x2x1x13xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %21:4 = stablehlo.while(%iterArg = %arg4, %iterArg_4 = %c, %iterArg_5 = %19, %iterArg_6 = %18) : tensor<f32>, tensor<i32>, tensor<9x1xi32>, tensor<9x1xi32>
    cond {
      %23 = stablehlo.reshape %iterArg_5 : (tensor<9x1xi32>) -> tensor<9xi32>
      %24 = stablehlo.slice %23 [0:1] : (tensor<9xi32>) -> tensor<1xi32>
      %25 = stablehlo.reshape %24 : (tensor<1xi32>) -> tensor<i32>
      %c_7 = stablehlo.constant dense<6> : tensor<i32>
      %26 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %27 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<i32>
      %28 = stablehlo.compare LT, %25, %27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %29 = stablehlo.and %26, %28 : tensor<i1>
      stablehlo.return %29 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9x1xi32>
      %25 = stablehlo.xor %iterArg_5, %24 : tensor<9x1xi32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<9x1xi32>
      %27 = stablehlo.xor %iterArg_6, %26 : tensor<9x1xi32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %28 = stablehlo.reduce(%27 init: %c_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x1xi32>, tensor<i32>) -> tensor<i32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<i32>) -> tensor<9x1xi32>
      %30 = stablehlo.add %25, %29 : tensor<9x1xi32>
      stablehlo.return %iterArg, %23, %iterArg_6, %30 : tensor<f32>, tensor<i32>, tensor<9x1xi32>, tensor<9x1xi32>
    }
    %22 = stablehlo.not %21#3 : tensor<9x1xi32>
    return %0, %20, %21#1, %21#2, %22, %21#3 : tensor<21x3xf64>, tensor<2x2x1x13xf32>, tensor<i32>, tensor<9x1xi32>, tensor<9x1xi32>, tensor<9x1xi32>
  }
  func.func private @argmin(%arg0: tensor<9x7x1xf64>) -> tensor<9x1xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<9x7x1xi32>
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<9x7x1xf64>, tensor<9x7x1xi32>, tensor<f64>, tensor<i32>) -> (tensor<9x1xf64>, tensor<9x1xi32>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i32>
    }
    return %1#1 : tensor<9x1xi32>
  }
}
