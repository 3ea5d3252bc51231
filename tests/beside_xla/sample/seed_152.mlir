module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<33xbf16>, %arg1: tensor<1xbf16>, %arg2: tensor<33xf32>, %arg3: tensor<33xf32>) -> (tensor<18xbf16> {jax.result_info = "result[0]"}, tensor<33xf32> {jax.result_info = "result[1]"}, tensor<33xf32> {jax.result_info = "result[2]"}, tensor<17xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_3 = %c_0, %iterArg_4 = %c, %iterArg_5 = %arg0) : tensor<1xbf16>, tensor<i64>, tensor<i64>, tensor<33xbf16>
    cond {
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %13 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13:2 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5) : (tensor<1xbf16>, tensor<i64>, tensor<33xbf16>) -> (tensor<i64>, tensor<33xbf16>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %14 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %14, %13#0, %13#1 : tensor<1xbf16>, tensor<i64>, tensor<i64>, tensor<33xbf16>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %2 = "stablehlo.reduce_window"(%0#3, %1) <{base_dilations = array<i64: 1>, padding = dense<[[2, 1]]> : tensor<1x2xi64>, window_dilations = array<i64: 2>, window_dimensions = array<i64: 1>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg4: tensor<bf16>, %arg5: tensor<bf16>):
      %13 = stablehlo.add %arg4, %arg5 : tensor<bf16>
      stablehlo.return %13 : tensor<bf16>
    }) : (tensor<33xbf16>, tensor<bf16>) -> tensor<18xbf16>
    %3 = stablehlo.convert %0#3 : (tensor<33xbf16>) -> tensor<33xf32>
    %4 = stablehlo.subtract %3, %arg2 : tensor<33xf32>
    %5 = stablehlo.multiply %3, %arg3 : tensor<33xf32>
    %6 = stablehlo.abs %arg2 : tensor<33xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %8 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<33xf32>, tensor<33xf32>) -> tensor<33xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %10 = call @_where_0(%8, %arg2, %9) : (tensor<33xi1>, tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
    %11 = call @fft(%10) : (tensor<33xf32>) -> tensor<17xcomplex<f32>>
    %12 = stablehlo.real %11 : (tensor<17xcomplex<f32>>) -> tensor<17xf32>
    return %2, %4, %5, %12 : tensor<18xbf16>, tensor<33xf32>, tensor<33xf32>, tensor<17xf32>
  }
  func.func private @closed_call(%arg0: tensor<1xbf16>, %arg1: tensor<i64>, %arg2: tensor<33xbf16>) -> (tensor<i64>, tensor<33xbf16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<1xbf16>, tensor<i64>) -> tensor<1xbf16>
    %c_2 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_2 : tensor<i64>
    %c_3 = stablehlo.constant dense<33> : tensor<i64>
    %7 = call @remainder(%6, %c_3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_5 = stablehlo.constant dense<33> : tensor<i64>
    %10 = stablehlo.add %9, %c_5 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11 : (tensor<33xbf16>, tensor<1xbf16>, tensor<i64>) -> tensor<33xbf16>
    return %0, %12 : tensor<i64>, tensor<33xbf16>
  }
  func.func private @remainder(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %1 = call @_where(%0, %c_0, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = stablehlo.remainder %arg0, %1 : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.compare NE, %2, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i64>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i64>
    return %9 : tensor<i64>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @_where_0(%arg0: tensor<33xi1>, %arg1: tensor<33xf32>, %arg2: tensor<33xf32>) -> tensor<33xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<33xi1>, tensor<33xf32>
    return %0 : tensor<33xf32>
  }
  func.func private @fft(%arg0: tensor<33xf32>) -> tensor<17xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [33] : (tensor<33xf32>) -> tensor<17xcomplex<f32>>
    return %0 : tensor<17xcomplex<f32>>
  }
}
