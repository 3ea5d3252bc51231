// cbrt F
func.func @cbrt_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf32>
  %r = stablehlo.cbrt %x0 : (tensor<4xf32>) -> tensor<4xf32>
  %expected = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<4xf32>, tensor<4xf32>
  return
}

// cbrt F
func.func @cbrt_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf64>
  %r = stablehlo.cbrt %x0 : (tensor<4xf64>) -> tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<4xf64>, tensor<4xf64>
  return
}

// cbrt F
func.func @cbrt_f16() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 8.0, 27.0]> : tensor<4xf16>
  %r = stablehlo.cbrt %x0 : (tensor<4xf16>) -> tensor<4xf16>
  %expected = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<4xf16>, tensor<4xf16>
  return
}

// cbrt C: cbrt complex
func.func @cbrt_c64() {
  %x0 = stablehlo.constant dense<[(8.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.cbrt %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<2xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(3.0, 1.0), (2.0, 1.0)]> : tensor<2xcomplex<f32>>, tolerance = 3.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// cbrt Q
func.func @cbrt_q8() {
  %a_real = stablehlo.constant dense<[-8.0, 1.0, 30.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.cbrt %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 3, 7]> : tensor<3xi8>
  return
}
