// rsqrt F
func.func @rsqrt_f32() {
  %x0 = stablehlo.constant dense<[1.0, 4.0, 9.0, 25.0]> : tensor<4xf32>
  %r = stablehlo.rsqrt %x0 : (tensor<4xf32>) -> tensor<4xf32>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.33333343, 0.2]> : tensor<4xf32>
  check.expect_close %r, %expected, max_ulp_difference = 9 : tensor<4xf32>, tensor<4xf32>
  return
}

// rsqrt C: rsqrt complex
func.func @rsqrt_c64() {
  %x0 = stablehlo.constant dense<[(4.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.rsqrt %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(1.5, 1.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// rsqrt Q
func.func @rsqrt_q8() {
  %a_real = stablehlo.constant dense<[1.0, 4.0, 0.5]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.rsqrt %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[3, 2, 4]> : tensor<3xi8>
  return
}
