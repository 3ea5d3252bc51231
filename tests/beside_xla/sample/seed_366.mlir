module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x9x1x2xf8E5M2FNUZ>, %arg1: tensor<1x5xf64>, %arg2: tensor<1x5xf64>) -> (tensor<7x2x4xf64> {jax.result_info = "result[0]"}, tensor<2x3x1x1xf8E5M2FNUZ> {jax.result_info = "result[1]"}, tensor<1x3xcomplex<f64>> {jax.result_info = "result[2]"}, tensor<1x5xf64> {jax.result_info = "result[3]"}, tensor<5x1xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[2.750000e+00, 1.500000e+00, -1.250000e+00, 5.000000e-01], [-2.750000e+00, -2.500000e-01, -1.000000e+00, -2.500000e+00]], [[1.250000e+00, -2.000000e+00, 0.000000e+00, 2.750000e+00], [-2.500000e+00, -1.750000e+00, 2.000000e+00, 2.000000e+00]], [[1.000000e+00, -5.000000e-01, 1.750000e+00, -2.500000e+00], [2.000000e+00, 3.000000e+00, -2.500000e+00, -5.000000e-01]], [[2.250000e+00, -3.000000e+00, 2.250000e+00, -1.250000e+00], [-5.000000e-01, -2.500000e+00, -1.750000e+00, 1.250000e+00]], [[2.500000e+00, -2.500000e+00, 2.500000e-01, -2.750000e+00], [2.000000e+00, 3.000000e+00, -2.000000e+00, 2.000000e+00]], [[-7.500000e-01, 2.500000e+00, -1.750000e+00, -0.000000e+00], [2.500000e+00, 1.000000e+00, 2.500000e+00, 2.250000e+00]], [[3.000000e+00, 2.500000e+00, -5.000000e-01, -2.250000e+00], [-2.000000e+00, 2.750000e+00, 1.250000e+00, 1.750000e+00]]]> : tensor<7x2x4xf64>
    %cst_0 = stablehlo.constant dense<[[-1.406250e-01, -1.406250e-01, -0.000000e+00, 6.875000e-01, -6.250000e-01]]> : tensor<1x5xf64>
    %0 = stablehlo.multiply %cst, %cst : tensor<7x2x4xf64>
    %1 = stablehlo.slice %arg0 [1:5:2, 0:9:3, 0:1, 1:2] : (tensor<9x9x1x2xf8E5M2FNUZ>) -> tensor<2x3x1x1xf8E5M2FNUZ>
    %2 = stablehlo.abs %arg1 : tensor<1x5xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %4 = stablehlo.compare LT, %2, %3, FLOAT : (tensor<1x5xf64>, tensor<1x5xf64>) -> tensor<1x5xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %6 = call @_where(%4, %arg1, %5) : (tensor<1x5xi1>, tensor<1x5xf64>, tensor<1x5xf64>) -> tensor<1x5xf64>
    %7 = call @fft(%6) : (tensor<1x5xf64>) -> tensor<1x3xcomplex<f64>>
    %8 = stablehlo.abs %arg1 : tensor<1x5xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %10 = stablehlo.compare GE, %arg1, %9, FLOAT : (tensor<1x5xf64>, tensor<1x5xf64>) -> tensor<1x5xi1>
    %cst_4 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %12 = stablehlo.power %8, %11 : tensor<1x5xf64>
    %cst_5 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.subtract %cst_5, %cst_6 : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %15 = stablehlo.power %8, %14 : tensor<1x5xf64>
    %cst_7 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %17 = stablehlo.multiply %16, %15 : tensor<1x5xf64>
    %18 = stablehlo.multiply %12, %cst_0 : tensor<1x5xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %19 = stablehlo.reduce(%18 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x5xf64>, tensor<f64>) -> tensor<f64>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %21 = stablehlo.multiply %20, %cst_0 : tensor<1x5xf64>
    %22 = stablehlo.multiply %21, %17 : tensor<1x5xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<1x5xf64>
    %24 = stablehlo.select %10, %23, %22 : tensor<1x5xi1>, tensor<1x5xf64>
    %25 = stablehlo.select %10, %22, %23 : tensor<1x5xi1>, tensor<1x5xf64>
    %26 = stablehlo.negate %24 : tensor<1x5xf64>
    %27 = stablehlo.add %25, %26 : tensor<1x5xf64>
    %28 = stablehlo.add %cst_0, %arg2 : tensor<1x5xf64>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<1x5xf64>) -> tensor<5x1xf64>
    %30 = stablehlo.reshape %29 : (tensor<5x1xf64>) -> tensor<5x1xf64>
    %31 = stablehlo.slice %30 [0:3, 0:1] : (tensor<5x1xf64>) -> tensor<3x1xf64>
    %32 = stablehlo.slice %30 [3:5, 0:1] : (tensor<5x1xf64>) -> tensor<2x1xf64>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %33 = stablehlo.pad %32, %cst_11, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<2x1xf64>, tensor<f64>) -> tensor<3x1xf64>
    %34 = stablehlo.multiply %31, %33 : tensor<3x1xf64>
    %35 = stablehlo.slice %34 [0:2, 0:1] : (tensor<3x1xf64>) -> tensor<2x1xf64>
    %36 = stablehlo.slice %34 [2:3, 0:1] : (tensor<3x1xf64>) -> tensor<1x1xf64>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %37 = stablehlo.pad %36, %cst_12, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x1xf64>, tensor<f64>) -> tensor<2x1xf64>
    %38 = stablehlo.multiply %35, %37 : tensor<2x1xf64>
    %39 = stablehlo.slice %38 [0:1, 0:1] : (tensor<2x1xf64>) -> tensor<1x1xf64>
    %40 = stablehlo.slice %38 [1:2, 0:1] : (tensor<2x1xf64>) -> tensor<1x1xf64>
    %41 = stablehlo.multiply %39, %40 : tensor<1x1xf64>
    %42 = stablehlo.reshape %41 : (tensor<1x1xf64>) -> tensor<1xf64>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %43 = stablehlo.reduce(%42 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<f64>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %44 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %45 = stablehlo.broadcast_in_dim %44, dims = [1] : (tensor<1xf64>) -> tensor<1x1xf64>
    %46 = stablehlo.multiply %39, %45 : tensor<1x1xf64>
    %47 = stablehlo.multiply %45, %40 : tensor<1x1xf64>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %48 = stablehlo.pad %46, %cst_15, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<1x1xf64>, tensor<f64>) -> tensor<2x1xf64>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %49 = stablehlo.pad %47, %cst_16, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x1xf64>, tensor<f64>) -> tensor<2x1xf64>
    %50 = stablehlo.add %48, %49 : tensor<2x1xf64>
    %51 = stablehlo.multiply %35, %50 : tensor<2x1xf64>
    %52 = stablehlo.multiply %50, %37 : tensor<2x1xf64>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %53 = stablehlo.pad %51, %cst_17, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x1xf64>, tensor<f64>) -> tensor<1x1xf64>
    %54 = stablehlo.slice %53 [0:1, 0:1] : (tensor<1x1xf64>) -> tensor<1x1xf64>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %55 = stablehlo.pad %54, %cst_18, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x1xf64>, tensor<f64>) -> tensor<3x1xf64>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %56 = stablehlo.pad %52, %cst_19, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<2x1xf64>, tensor<f64>) -> tensor<3x1xf64>
    %57 = stablehlo.add %55, %56 : tensor<3x1xf64>
    %58 = stablehlo.multiply %31, %57 : tensor<3x1xf64>
    %59 = stablehlo.multiply %57, %33 : tensor<3x1xf64>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %60 = stablehlo.pad %58, %cst_20, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<3x1xf64>, tensor<f64>) -> tensor<2x1xf64>
    %61 = stablehlo.slice %60 [0:2, 0:1] : (tensor<2x1xf64>) -> tensor<2x1xf64>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %62 = stablehlo.pad %61, %cst_21, low = [3, 0], high = [0, 0], interior = [0, 0] : (tensor<2x1xf64>, tensor<f64>) -> tensor<5x1xf64>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %63 = stablehlo.pad %59, %cst_22, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<3x1xf64>, tensor<f64>) -> tensor<5x1xf64>
    %64 = stablehlo.add %62, %63 : tensor<5x1xf64>
    %65 = stablehlo.transpose %64, dims = [1, 0] : (tensor<5x1xf64>) -> tensor<1x5xf64>
    %66 = stablehlo.cosine %65 : tensor<1x5xf64>
    %67 = stablehlo.remainder %66, %cst_0 : tensor<1x5xf64>
    %68 = stablehlo.transpose %67, dims = [1, 0] : (tensor<1x5xf64>) -> tensor<5x1xf64>
    return %0, %1, %7, %27, %68 : tensor<7x2x4xf64>, tensor<2x3x1x1xf8E5M2FNUZ>, tensor<1x3xcomplex<f64>>, tensor<1x5xf64>, tensor<5x1xf64>
  }
  func.func private @_where(%arg0: tensor<1x5xi1>, %arg1: tensor<1x5xf64>, %arg2: tensor<1x5xf64>) -> tensor<1x5xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x5xi1>, tensor<1x5xf64>
    return %0 : tensor<1x5xf64>
  }
  func.func private @fft(%arg0: tensor<1x5xf64>) -> tensor<1x3xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [5] : (tensor<1x5xf64>) -> tensor<1x3xcomplex<f64>>
    return %0 : tensor<1x3xcomplex<f64>>
  }
}
