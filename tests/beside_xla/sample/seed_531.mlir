module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x2xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<2xi1> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<[[[-1.250000e+00, 2.250000e+00], [-3.000000e+00, -1.500000e+00], [1.000000e+00, 3.000000e+00], [-2.750000e+00, -1.750000e+00], [-1.000000e+00, -0.000000e+00], [2.250000e+00, -2.500000e-01], [1.250000e+00, 2.250000e+00], [1.000000e+00, 2.500000e-01], [-1.500000e+00, -2.500000e+00]], [[1.000000e+00, -2.750000e+00], [-3.000000e+00, -5.000000e-01], [-2.500000e+00, -2.500000e-01], [1.500000e+00, 2.500000e+00], [1.250000e+00, 3.000000e+00], [1.750000e+00, 2.2250738585072014E-308], [3.000000e+00, -2.500000e-01], [-2.000000e+00, 3.000000e+00], [-2.750000e+00, -2.250000e+00]]]> : tensor<2x9x2xf64>
    %0 = stablehlo.dot_general %cst, %arg0, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x9x2xf64>, tensor<9x2xf64>) -> tensor<2xf64>
    %1 = stablehlo.is_finite %0 : (tensor<2xf64>) -> tensor<2xi1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = call @_where(%1, %0, %cst_0) : (tensor<2xi1>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    %3 = stablehlo.dot_general %2, %0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
    %4 = stablehlo.compare EQ, %0, %2, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    return %3, %4 : tensor<f64>, tensor<2xi1>
  }
  func.func private @_where(%arg0: tensor<2xi1>, %arg1: tensor<2xf64>, %arg2: tensor<f64>) -> tensor<2xf64> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2xi1>, tensor<2xf64>
    return %1 : tensor<2xf64>
  }
}
