// exponential_minus_one F
func.func @exponential_minus_one_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = stablehlo.exponential_minus_one %x0 : (tensor<2xf32>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0.0, 1.71828187]> : tensor<2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<2xf32>, tensor<2xf32>
  return
}

// exponential_minus_one C: exponential_minus_one complex
func.func @exponential_minus_one_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.exponential_minus_one %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// exponential_minus_one Q
func.func @exponential_minus_one_q8() {
  %a_real = stablehlo.constant dense<[0.0, 1.0, 2.5]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.exponential_minus_one %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 4, 23]> : tensor<3xi8>
  return
}
