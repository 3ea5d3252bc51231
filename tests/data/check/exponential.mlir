// exponential F
func.func @exponential_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  %r = stablehlo.exponential %x0 : (tensor<4xf64>) -> tensor<4xf64>
  %expected = stablehlo.constant dense<[1.0, 2.7182818284590451, 7.3890560989306504, 20.085536923187668]> : tensor<4xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<4xf64>, tensor<4xf64>
  return
}

// exponential C: exponential complex
func.func @exponential_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 3.14159265)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.exponential %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

// exponential F: exponential narrow
func.func @exponential_bf16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xbf16>
  %r = stablehlo.exponential %x0 : (tensor<1xbf16>) -> tensor<1xbf16>
  %expected = stablehlo.constant dense<2.71875> : tensor<1xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<1xbf16>, tensor<1xbf16>
  return
}

// exponential F: exponential narrow
func.func @exponential_f16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xf16>
  %r = stablehlo.exponential %x0 : (tensor<1xf16>) -> tensor<1xf16>
  %expected = stablehlo.constant dense<2.71875> : tensor<1xf16>
  check.expect_close %r, %expected, max_ulp_difference = 21 : tensor<1xf16>, tensor<1xf16>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// exponential Q
func.func @exponential_q8() {
  %a_real = stablehlo.constant dense<[0.0, 1.0, -2.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.exponential %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[3, 6, 1]> : tensor<3xi8>
  return
}
