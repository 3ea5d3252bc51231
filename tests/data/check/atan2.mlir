// atan2 F
func.func @atan2_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
  %r = stablehlo.atan2 %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %expected = stablehlo.constant dense<[0.0, 1.57079637, -1.57079637]> : tensor<3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<3xf32>, tensor<3xf32>
  return
}

// atan2 F: atan2 f64
func.func @atan2_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %x1 = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  %r = stablehlo.atan2 %x0, %x1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %expected = stablehlo.constant dense<[0.0, 1.5707963267948966, -1.5707963267948966]> : tensor<3xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<3xf64>, tensor<3xf64>
  return
}

// atan2 C: atan2 complex
func.func @atan2_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 0.0)]> : tensor<1xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(1.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.atan2 %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(1.78539816, 1.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// atan2 Q
func.func @atan2_q8() {
  %a_real = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.atan2 %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 4, -4]> : tensor<3xi8>
  return
}
