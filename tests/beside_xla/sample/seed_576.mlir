module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xbf16>, %arg1: tensor<3x4xi32>, %arg2: tensor<65xi1>, %arg3: tensor<i64>, %arg4: tensor<3x1x2x6xi32>, %arg5: tensor<6x2x1x2xi32>) -> (tensor<3x4xi32> {jax.result_info = "result[0]"}, tensor<35xi1> {jax.result_info = "result[1]"}, tensor<3x4xi32> {jax.result_info = "result[2]"}, tensor<1x6x2x1xi32> {jax.result_info = "result[3]"}, tensor<bf16> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[-1.109380e+00, 1.218750e+00, -1.515630e+00, 5.156250e-01], [-0.000000e+00, -9.687500e-01, 4.843750e-01, 1.406250e+00], [-6.250000e-01, 4.687500e-02, 1.296880e+00, 9.375000e-01]]> : tensor<3x4xbf16>
    %0:3 = "stablehlo.sort"(%cst, %arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>, %arg8: tensor<bf16>, %arg9: tensor<bf16>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %12 = stablehlo.compare EQ, %arg6, %cst_3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %13 = stablehlo.select %12, %cst_4, %arg6 : tensor<i1>, tensor<bf16>
      %14 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %15 = stablehlo.select %14, %cst_5, %13 : tensor<i1>, tensor<bf16>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %16 = stablehlo.compare EQ, %arg7, %cst_6, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %17 = stablehlo.select %16, %cst_7, %arg7 : tensor<i1>, tensor<bf16>
      %18 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_8 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %19 = stablehlo.select %18, %cst_8, %17 : tensor<i1>, tensor<bf16>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %20 = stablehlo.compare EQ, %arg8, %cst_9, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %21 = stablehlo.select %20, %cst_10, %arg8 : tensor<i1>, tensor<bf16>
      %22 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %23 = stablehlo.select %22, %cst_11, %21 : tensor<i1>, tensor<bf16>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %24 = stablehlo.compare EQ, %arg9, %cst_12, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %25 = stablehlo.select %24, %cst_13, %arg9 : tensor<i1>, tensor<bf16>
      %26 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %27 = stablehlo.select %26, %cst_14, %25 : tensor<i1>, tensor<bf16>
      %28 = stablehlo.compare LT, %23, %27, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %29 = stablehlo.compare LT, %15, %19, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %30 = stablehlo.compare EQ, %15, %19, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %31 = stablehlo.and %30, %28 : tensor<i1>
      %32 = stablehlo.or %29, %31 : tensor<i1>
      stablehlo.return %32 : tensor<i1>
    }) : (tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xi32>) -> (tensor<3x4xbf16>, tensor<3x4xbf16>, tensor<3x4xi32>)
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<65> : tensor<i64>
    %2 = stablehlo.add %arg3, %c_0 : tensor<i64>
    %3 = stablehlo.select %1, %2, %arg3 : tensor<i1>, tensor<i64>
    %4 = stablehlo.dynamic_slice %arg2, %3, sizes = [35] : (tensor<65xi1>, tensor<i64>) -> tensor<35xi1>
    %5 = stablehlo.abs %arg1 : tensor<3x4xi32>
    %6 = stablehlo.count_leading_zeros %5 : tensor<3x4xi32>
    %7 = stablehlo.negate %6 : tensor<3x4xi32>
    %8 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [1, b, 0, f]x[o, 1, 0, i]->[1, f, 0, b], window = {stride = [2, 2], pad = [[3, -1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x1x2x6xi32>, tensor<6x2x1x2xi32>) -> tensor<1x6x2x1xi32>
    %cst_1 = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %9 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<bf16>
    %10 = stablehlo.is_finite %9 : (tensor<bf16>) -> tensor<i1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %11 = call @_where(%10, %9, %cst_2) : (tensor<i1>, tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    return %0#2, %4, %7, %8, %11 : tensor<3x4xi32>, tensor<35xi1>, tensor<3x4xi32>, tensor<1x6x2x1xi32>, tensor<bf16>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<bf16>, %arg2: tensor<bf16>) -> tensor<bf16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<bf16>
    return %0 : tensor<bf16>
  }
}
