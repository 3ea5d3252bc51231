// cholesky F
func.func @cholesky_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c = stablehlo.cholesky %x0, lower = true : tensor<3x3xf32>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf32>
  %expected = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 17 : tensor<3x3xf32>, tensor<3x3xf32>
  return
}

// cholesky F: cholesky f64
func.func @cholesky_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf64>
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf64>
  %c = stablehlo.cholesky %x0, lower = true : tensor<3x3xf64>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf64>
  %expected = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf64>
  check.expect_close %r, %expected, max_ulp_difference = 91 : tensor<3x3xf64>, tensor<3x3xf64>
  return
}

// cholesky F: cholesky upper
func.func @cholesky_f32_2() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare LE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c = stablehlo.cholesky %x0, lower = false : tensor<3x3xf32>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf32>
  %expected = stablehlo.constant dense<[[1.0, 2.0, 3.0], [0.0, 4.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 17 : tensor<3x3xf32>, tensor<3x3xf32>
  return
}

// cholesky C: cholesky complex
func.func @cholesky_c64() {
  %x0 = stablehlo.constant dense<[[(4.0, 0.0)]]> : tensor<1x1xcomplex<f32>>
  %r = stablehlo.cholesky %x0, lower = true : tensor<1x1xcomplex<f32>>
  %expected = stablehlo.constant dense<[[(2.0, 0.0)]]> : tensor<1x1xcomplex<f32>>
  check.expect_close %r, %expected, max_ulp_difference = 17 : tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// cholesky Q: the other triangle is anything
func.func @cholesky_q8() {
  %a_real = stablehlo.constant dense<[[4.0, 2.0], [2.0, 10.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %full = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x2x!q8>) -> tensor<2x2x!q8>
  %r = stablehlo.slice %full [0:2, 0:1] : (tensor<2x2x!q8>) -> tensor<2x1x!q8>
  check.expect_eq_const %r, dense<[[5], [3]]> : tensor<2x1xi8>
  return
}
