// tanh F
func.func @tanh_f32() {
  %x0 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r = stablehlo.tanh %x0 : (tensor<3xf32>) -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.76159416, 0.0, 0.76159416]> : tensor<3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<3xf32>, tensor<3xf32>
  return
}

// tanh C: tanh complex
func.func @tanh_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.tanh %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// tanh F: tanh f64
func.func @tanh_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %r = stablehlo.tanh %x0 : (tensor<2xf64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[0.0, 0.7615941559557649]> : tensor<2xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<2xf64>, tensor<2xf64>
  return
}

// tanh F: tanh narrow
func.func @tanh_bf16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xbf16>
  %r = stablehlo.tanh %x0 : (tensor<1xbf16>) -> tensor<1xbf16>
  %expected = stablehlo.constant dense<0.76171875> : tensor<1xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<1xbf16>, tensor<1xbf16>
  return
}

// tanh F: tanh narrow
func.func @tanh_f16() {
  %x0 = stablehlo.constant dense<1.0> : tensor<1xf16>
  %r = stablehlo.tanh %x0 : (tensor<1xf16>) -> tensor<1xf16>
  %expected = stablehlo.constant dense<0.76171875> : tensor<1xf16>
  check.expect_close %r, %expected, max_ulp_difference = 21 : tensor<1xf16>, tensor<1xf16>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// tanh Q
func.func @tanh_q8() {
  %a_real = stablehlo.constant dense<[0.0, 3.0, -3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.tanh %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 3, -1]> : tensor<3xi8>
  return
}
