module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x7xf64>) -> (tensor<9x7xf64> {jax.result_info = "result[0]"}, tensor<9x4xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<9x7xf64> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[[1.500000e+00, 2.000000e+00, 1.750000e+00, 1.000000e+00, 1.750000e+00, 0.000000e+00, 0xFFF0000000000000], [7.500000e-01, -1.000000e+00, 2.000000e+00, -1.250000e+00, -2.250000e+00, 2.000000e+00, -2.000000e+00], [5.000000e-01, -1.750000e+00, 2.500000e+00, 2.000000e+00, -2.500000e-01, 1.250000e+00, -5.000000e-01], [1.250000e+00, 2.250000e+00, -2.500000e+00, -7.500000e-01, 5.000000e-01, 2.500000e-01, 7.500000e-01], [-7.500000e-01, -1.7976931348623157E+308, 1.750000e+00, 7.500000e-01, 0xFFF0000000000000, -1.500000e+00, 1.750000e+00], [1.000000e+00, -1.250000e+00, -2.500000e+00, 1.000000e+00, 2.000000e+00, 5.000000e-01, -1.500000e+00], [-7.500000e-01, 1.500000e+00, -2.500000e+00, -7.500000e-01, -1.750000e+00, -2.000000e+00, -1.500000e+00], [1.250000e+00, -1.000000e+00, 2.500000e+00, 0x7FF8000000000000, 1.250000e+00, 1.250000e+00, 2.750000e+00], [-1.500000e+00, -1.000000e+00, 2.250000e+00, 1.7976931348623157E+308, 1.500000e+00, 2.250000e+00, -1.500000e+00]]> : tensor<9x7xf64>
    %0 = stablehlo.multiply %cst, %cst : tensor<9x7xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<9x7xf64>, tensor<f64>) -> tensor<9xf64>
    %2 = stablehlo.sqrt %1 : tensor<9xf64>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %4 = stablehlo.divide %3, %2 : tensor<9xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.reduce(%2 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<9xf64>, tensor<f64>) -> tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %7 = stablehlo.multiply %6, %4 : tensor<9xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<9xf64>) -> tensor<9x7xf64>
    %9 = stablehlo.multiply %cst, %8 : tensor<9x7xf64>
    %10 = stablehlo.multiply %8, %cst : tensor<9x7xf64>
    %11 = stablehlo.add %9, %10 : tensor<9x7xf64>
    %12 = stablehlo.abs %arg0 : tensor<9x7xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<9x7xf64>
    %14 = stablehlo.compare LT, %12, %13, FLOAT : (tensor<9x7xf64>, tensor<9x7xf64>) -> tensor<9x7xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<9x7xf64>
    %16 = call @_where(%14, %arg0, %15) : (tensor<9x7xi1>, tensor<9x7xf64>, tensor<9x7xf64>) -> tensor<9x7xf64>
    %17 = call @fft(%16) : (tensor<9x7xf64>) -> tensor<9x4xcomplex<f64>>
    %18 = chlo.erf %arg0 : tensor<9x7xf64> -> tensor<9x7xf64>
    %19 = "stablehlo.sort"(%18) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %20 = stablehlo.compare EQ, %arg1, %cst_6, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %21 = stablehlo.select %20, %cst_7, %arg1 : tensor<i1>, tensor<f64>
      %22 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_8 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %23 = stablehlo.select %22, %cst_8, %21 : tensor<i1>, tensor<f64>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %24 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %25 = stablehlo.select %24, %cst_10, %arg2 : tensor<i1>, tensor<f64>
      %26 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %27 = stablehlo.select %26, %cst_11, %25 : tensor<i1>, tensor<f64>
      %28 = stablehlo.compare LT, %23, %27, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %28 : tensor<i1>
    }) : (tensor<9x7xf64>) -> tensor<9x7xf64>
    return %11, %17, %19 : tensor<9x7xf64>, tensor<9x4xcomplex<f64>>, tensor<9x7xf64>
  }
  func.func private @_where(%arg0: tensor<9x7xi1>, %arg1: tensor<9x7xf64>, %arg2: tensor<9x7xf64>) -> tensor<9x7xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<9x7xi1>, tensor<9x7xf64>
    return %0 : tensor<9x7xf64>
  }
  func.func private @fft(%arg0: tensor<9x7xf64>) -> tensor<9x4xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [7] : (tensor<9x7xf64>) -> tensor<9x4xcomplex<f64>>
    return %0 : tensor<9x4xcomplex<f64>>
  }
}
