module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17x16xui32>, %arg1: tensor<200xbf16>, %arg2: tensor<200xbf16>, %arg3: tensor<7xf32>, %arg4: tensor<16x17xui32>, %arg5: tensor<3x17xui32>, %arg6: tensor<8x9xf32>, %arg7: tensor<8x9xf32>, %arg8: tensor<200xi1>, %arg9: tensor<200xbf16>, %arg10: tensor<19x17xui32>) -> (tensor<4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x9xf32> {jax.result_info = "result[1]"}, tensor<8x9xf32> {jax.result_info = "result[2]"}, tensor<5x200xbf16> {jax.result_info = "result[3]"}, tensor<19x17xui32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<17x16xui32>) -> tensor<16x17xui32>
    %1 = stablehlo.reshape %arg1 : (tensor<200xbf16>) -> tensor<1x200xbf16>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<200xbf16>
    %3 = stablehlo.convert %2 : (tensor<200xbf16>) -> tensor<200xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<200xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.convert %4 : (tensor<f32>) -> tensor<bf16>
    %6 = stablehlo.sqrt %5 : tensor<bf16>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %7 = stablehlo.divide %cst_0, %6 : tensor<bf16>
    %8 = stablehlo.convert %6 : (tensor<bf16>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.convert %9 : (tensor<f32>) -> tensor<bf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %11 = stablehlo.multiply %cst_2, %7 : tensor<bf16>
    %12 = stablehlo.convert %11 : (tensor<bf16>) -> tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<200xf32>
    %14 = stablehlo.convert %13 : (tensor<200xf32>) -> tensor<200xbf16>
    %15 = stablehlo.multiply %arg1, %14 : tensor<200xbf16>
    %16 = stablehlo.multiply %14, %arg1 : tensor<200xbf16>
    %17 = stablehlo.add %15, %16 : tensor<200xbf16>
    %18 = stablehlo.abs %arg3 : tensor<7xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %20 = stablehlo.compare LT, %18, %19, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %22 = call @_where(%20, %arg3, %21) : (tensor<7xi1>, tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %23 = call @fft(%22) : (tensor<7xf32>) -> tensor<4xcomplex<f32>>
    %24 = stablehlo.or %0, %arg4 : tensor<16x17xui32>
    %25 = stablehlo.concatenate %24, %arg5, dim = 0 : (tensor<16x17xui32>, tensor<3x17xui32>) -> tensor<19x17xui32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %26:4 = stablehlo.while(%iterArg = %c_5, %iterArg_6 = %c, %iterArg_7 = %arg6, %iterArg_8 = %arg7) : tensor<i64>, tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>
    cond {
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %30 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %30 : tensor<i1>
    } do {
      %30:3 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_8) : (tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>) -> (tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %31 = stablehlo.add %iterArg, %c_9 : tensor<i64>
      stablehlo.return %31, %30#0, %30#1, %30#2 : tensor<i64>, tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>
    }
    %27 = stablehlo.select %arg8, %17, %arg9 : tensor<200xi1>, tensor<200xbf16>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<200xbf16>) -> tensor<5x200xbf16>
    %29 = stablehlo.and %25, %arg10 : tensor<19x17xui32>
    return %23, %26#2, %26#3, %28, %29 : tensor<4xcomplex<f32>>, tensor<8x9xf32>, tensor<8x9xf32>, tensor<5x200xbf16>, tensor<19x17xui32>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @fft(%arg0: tensor<7xf32>) -> tensor<4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [7] : (tensor<7xf32>) -> tensor<4xcomplex<f32>>
    return %0 : tensor<4xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<8x9xf32>, %arg2: tensor<8x9xf32>) -> (tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x9xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<8x9xf32>
    %3 = stablehlo.add %2, %arg2 : tensor<8x9xf32>
    return %0, %arg2, %3 : tensor<i64>, tensor<8x9xf32>, tensor<8x9xf32>
  }
}
