// sign F
func.func @sign_f64() {
  %x0 = stablehlo.constant dense<[0x7FF8000000000000, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  %r = stablehlo.sign %x0 : (tensor<5xf64>) -> tensor<5xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, -1.0, -0.0, 0.0, 1.0]> : tensor<5xf64>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<5xf64>, tensor<5xf64>
  return
}

// sign SI: sign integer
func.func @sign_s32() {
  %x0 = stablehlo.constant dense<[-7, 0, 5]> : tensor<3xi32>
  %r = stablehlo.sign %x0 : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[-1, 0, 1]> : tensor<3xi32>
  return
}

// sign C: sign complex
func.func @sign_c64() {
  %x0 = stablehlo.constant dense<[(3.0, 4.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.sign %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.6, 0.8), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// sign Q
func.func @sign_q8() {
  %a_real = stablehlo.constant dense<[-7.5, 0.0, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.sign %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-1, 1, 3]> : tensor<3xi8>
  return
}
