// logistic F
func.func @logistic_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %r = stablehlo.logistic %x0 : (tensor<4xf32>) -> tensor<4xf32>
  %expected = stablehlo.constant dense<[0.5, 0.73105858, 0.88079708, 0.95257413]> : tensor<4xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<4xf32>, tensor<4xf32>
  return
}

// logistic C: logistic complex
func.func @logistic_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.logistic %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(1.5, 1.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

// logistic F: logistic f64
func.func @logistic_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %r = stablehlo.logistic %x0 : (tensor<2xf64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[0.5, 0.7310585786300049]> : tensor<2xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<2xf64>, tensor<2xf64>
  return
}

// logistic F: logistic narrow
func.func @logistic_bf16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xbf16>
  %r = stablehlo.logistic %x0 : (tensor<1xbf16>) -> tensor<1xbf16>
  %expected = stablehlo.constant dense<0.73046875> : tensor<1xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<1xbf16>, tensor<1xbf16>
  return
}

// logistic F: logistic narrow
func.func @logistic_f16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xf16>
  %r = stablehlo.logistic %x0 : (tensor<1xf16>) -> tensor<1xf16>
  %expected = stablehlo.constant dense<0.73046875> : tensor<1xf16>
  check.expect_close %r, %expected, max_ulp_difference = 21 : tensor<1xf16>, tensor<1xf16>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// logistic Q
func.func @logistic_q8() {
  %a_real = stablehlo.constant dense<[0.0, 8.0, -8.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.logistic %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[2, 3, 1]> : tensor<3xi8>
  return
}
