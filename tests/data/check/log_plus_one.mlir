// log_plus_one F
func.func @log_plus_one_f32() {
  %x0 = stablehlo.constant dense<[0.0, -0.999, 7.0, 6.38905621, 15.0]> : tensor<5xf32>
  %r = stablehlo.log_plus_one %x0 : (tensor<5xf32>) -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0.0, -6.90776825, 2.07944155, 2.0, 2.77258873]> : tensor<5xf32>
  check.expect_close %r, %expected, max_ulp_difference = 84 : tensor<5xf32>, tensor<5xf32>
  return
}

// log_plus_one C: log_plus_one complex
func.func @log_plus_one_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.log_plus_one %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// log_plus_one Q
func.func @log_plus_one_q8() {
  %a_real = stablehlo.constant dense<[0.0, 20.0, 3.5]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.log_plus_one %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 7, 4]> : tensor<3xi8>
  return
}
