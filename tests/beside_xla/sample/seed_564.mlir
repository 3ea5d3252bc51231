module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xi32>, %arg1: tensor<5xcomplex<f64>>, %arg2: tensor<ui8>, %arg3: tensor<2x1xf16>) -> (tensor<complex<f64>> {jax.result_info = "result[0]"}, tensor<5xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<2x1xf16> {jax.result_info = "result[2]"}, tensor<3xcomplex<f64>> {jax.result_info = "result[3]"}, tensor<5xi32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[0xFC00], [5.937500e-01]]> : tensor<2x1xf16>
    %0 = stablehlo.real %arg1 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %1 = stablehlo.real %arg1 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %2 = stablehlo.abs %1 : tensor<5xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %4 = stablehlo.compare LT, %2, %3, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %6 = call @_where(%4, %1, %5) : (tensor<5xi1>, tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    %7 = stablehlo.imag %arg1 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %8 = stablehlo.abs %7 : tensor<5xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %10 = stablehlo.compare LT, %8, %9, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %12 = call @_where(%10, %7, %11) : (tensor<5xi1>, tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    %13 = stablehlo.complex %6, %12 : tensor<5xcomplex<f64>>
    %14 = call @fft(%13) : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
    %15 = stablehlo.real %14 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %16 = stablehlo.abs %15 : tensor<5xf64>
    %cst_4 = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %18 = stablehlo.compare LT, %16, %17, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %19 = stablehlo.imag %14 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %20 = stablehlo.abs %19 : tensor<5xf64>
    %cst_5 = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %22 = stablehlo.compare LT, %20, %21, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %23 = stablehlo.and %18, %22 : tensor<5xi1>
    %cst_6 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %24 = call @_where_0(%23, %14, %cst_6) : (tensor<5xi1>, tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
    %cst_7 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.multiply across dimensions = [0] : (tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %26 = stablehlo.dynamic_slice %24, %arg2, sizes = [5] : (tensor<5xcomplex<f64>>, tensor<ui8>) -> tensor<5xcomplex<f64>>
    %27 = stablehlo.maximum %cst, %arg3 : tensor<2x1xf16>
    %28 = stablehlo.real %arg1 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %29 = stablehlo.abs %28 : tensor<5xf64>
    %cst_8 = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %31 = stablehlo.compare LT, %29, %30, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %32 = stablehlo.imag %arg1 : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
    %33 = stablehlo.abs %32 : tensor<5xf64>
    %cst_9 = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %35 = stablehlo.compare LT, %33, %34, FLOAT : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xi1>
    %36 = stablehlo.and %31, %35 : tensor<5xi1>
    %cst_10 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %37 = call @_where_0(%36, %arg1, %cst_10) : (tensor<5xi1>, tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
    %cst_11 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %38 = "stablehlo.reduce_window"(%37, %cst_11) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg4: tensor<complex<f64>>, %arg5: tensor<complex<f64>>):
      %40 = stablehlo.multiply %arg4, %arg5 : tensor<complex<f64>>
      stablehlo.return %40 : tensor<complex<f64>>
    }) : (tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %39 = call @cumsum(%arg0) : (tensor<5xi32>) -> tensor<5xi32>
    return %25, %26, %27, %38, %39 : tensor<complex<f64>>, tensor<5xcomplex<f64>>, tensor<2x1xf16>, tensor<3xcomplex<f64>>, tensor<5xi32>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xf64>, %arg2: tensor<5xf64>) -> tensor<5xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xf64>
    return %0 : tensor<5xf64>
  }
  func.func private @fft(%arg0: tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [5] : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
    return %0 : tensor<5xcomplex<f64>>
  }
  func.func private @_where_0(%arg0: tensor<5xi1>, %arg1: tensor<5xcomplex<f64>>, %arg2: tensor<complex<f64>>) -> tensor<5xcomplex<f64>> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<5xi1>, tensor<5xcomplex<f64>>
    return %1 : tensor<5xcomplex<f64>>
  }
  func.func private @cumsum(%arg0: tensor<5xi32>) -> tensor<5xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    return %1 : tensor<5xi32>
  }
}
