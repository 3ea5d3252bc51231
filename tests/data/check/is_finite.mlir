// is_finite F
func.func @is_finite_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, -10.0, -0.0, 0.0, 10.0]> : tensor<7xf64>
  %r = stablehlo.is_finite %x0 : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[false, false, false, true, true, true, true]> : tensor<7xi1>
  return
}

// is_finite F: is_finite f16
func.func @is_finite_f16() {
  %x0 = stablehlo.constant dense<[0x7C00, 0x7E00, 1.0e-7]> : tensor<3xf16>
  %r = stablehlo.is_finite %x0 : (tensor<3xf16>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, false, true]> : tensor<3xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// is_finite Q
func.func @is_finite_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.is_finite %a : (tensor<3x!q8>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[true, true, true]> : tensor<3xi1>
  return
}
