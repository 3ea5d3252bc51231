// cosine F
func.func @cosine_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.57079632, 3.14159265, 4.71238898]> : tensor<4xf32>
  %r = stablehlo.cosine %x0 : (tensor<4xf32>) -> tensor<4xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %above = stablehlo.add %r, %one : tensor<4xf32>
  check.expect_almost_eq_const %above, dense<[2.0, 1.0, 0.0, 1.0]> : tensor<4xf32>, tolerance = 1.00e-06
  return
}

// cosine C: cosine complex
func.func @cosine_c128() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f64>>
  %r = stablehlo.cosine %x0 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f64>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f64>>
  check.expect_almost_eq_const %above, dense<[(2.0, 1.0)]> : tensor<1xcomplex<f64>>, tolerance = 1.00e-15
  return
}

// cosine F: cosine f64
func.func @cosine_f64() {
  %x0 = stablehlo.constant dense<[0.0, 3.141592653589793]> : tensor<2xf64>
  %r = stablehlo.cosine %x0 : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_almost_eq_const %r, dense<[1.0, -1.0]> : tensor<2xf64>, tolerance = 1.00e-15
  return
}

// cosine F: cosine narrow
func.func @cosine_bf16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xbf16>
  %r = stablehlo.cosine %x0 : (tensor<1xbf16>) -> tensor<1xbf16>
  %expected = stablehlo.constant dense<0.5403> : tensor<1xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<1xbf16>, tensor<1xbf16>
  return
}

// cosine F: cosine narrow
func.func @cosine_f16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xf16>
  %r = stablehlo.cosine %x0 : (tensor<1xf16>) -> tensor<1xf16>
  %expected = stablehlo.constant dense<0.5403> : tensor<1xf16>
  check.expect_close %r, %expected, max_ulp_difference = 21 : tensor<1xf16>, tensor<1xf16>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// cosine Q
func.func @cosine_q8() {
  %a_real = stablehlo.constant dense<[0.0, 3.0, 1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.cosine %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[3, -1, 2]> : tensor<3xi8>
  return
}
