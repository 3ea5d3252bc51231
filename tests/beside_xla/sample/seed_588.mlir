module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi16>, %arg1: tensor<5xi16>, %arg2: tensor<17xf32>, %arg3: tensor<17xf32>, %arg4: tensor<2x1x3x2xf32>, %arg5: tensor<2x2x1x4xf32>, %arg6: tensor<2x4x2xf32>, %arg7: tensor<6x2x2xf32>, %arg8: tensor<8x2x3xf32>, %arg9: tensor<i1>, %arg10: tensor<8x2x3xf32>, %arg11: tensor<8x2x3xi32>) -> (tensor<17xf32> {jax.result_info = "result[0]"}, tensor<0x4x1x2xf32> {jax.result_info = "result[1]"}, tensor<2x2x6xf32> {jax.result_info = "result[2]"}, tensor<2x3xf32> {jax.result_info = "result[3]"}, tensor<2x3xi32> {jax.result_info = "result[4]"}, tensor<5xi16> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg0, %iterArg_4 = %arg1) : tensor<i64>, tensor<i64>, tensor<5xi16>, tensor<5xi16>
    cond {
      %c_5 = stablehlo.constant dense<3> : tensor<i64>
      %7 = stablehlo.compare LT, %iterArg, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:3 = func.call @closed_call(%iterArg_2, %iterArg_3, %iterArg_4) : (tensor<i64>, tensor<5xi16>, tensor<5xi16>) -> (tensor<i64>, tensor<5xi16>, tensor<5xi16>)
      %c_5 = stablehlo.constant dense<1> : tensor<i64>
      %8 = stablehlo.add %iterArg, %c_5 : tensor<i64>
      stablehlo.return %8, %7#0, %7#1, %7#2 : tensor<i64>, tensor<i64>, tensor<5xi16>, tensor<5xi16>
    }
    %1 = stablehlo.remainder %arg2, %arg3 : tensor<17xf32>
    %2 = stablehlo.log %1 : tensor<17xf32>
    %3 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [b, 1, 0, f]x[0, 1, i, o]->[1, f, 0, b], window = {stride = [2, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x1x3x2xf32>, tensor<2x2x1x4xf32>) -> tensor<0x4x1x2xf32>
    %4 = stablehlo.convolution(%arg6, %arg7) dim_numbers = [0, b, f]x[o, 0, i]->[0, b, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x2xf32>, tensor<6x2x2xf32>) -> tensor<2x2x6xf32>
    %5 = stablehlo.select %arg9, %arg8, %arg10 : tensor<i1>, tensor<8x2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6:2 = stablehlo.reduce(%5 init: %cst), (%arg11 init: %c_1) across dimensions = [0] : (tensor<8x2x3xf32>, tensor<8x2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
     reducer(%arg12: tensor<f32>, %arg14: tensor<f32>) (%arg13: tensor<i32>, %arg15: tensor<i32>)  {
      %7 = stablehlo.abs %arg12 : tensor<f32>
      %8 = stablehlo.abs %arg14 : tensor<f32>
      %9 = stablehlo.compare GE, %7, %8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = stablehlo.select %9, %arg12, %arg14 : tensor<i1>, tensor<f32>
      %11 = stablehlo.select %9, %arg13, %arg15 : tensor<i1>, tensor<i32>
      stablehlo.return %10, %11 : tensor<f32>, tensor<i32>
    }
    return %2, %3, %4, %6#0, %6#1, %0#3 : tensor<17xf32>, tensor<0x4x1x2xf32>, tensor<2x2x6xf32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<5xi16>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<5xi16>, %arg2: tensor<5xi16>) -> (tensor<i64>, tensor<5xi16>, tensor<5xi16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    return %0, %arg2, %arg1 : tensor<i64>, tensor<5xi16>, tensor<5xi16>
  }
}
