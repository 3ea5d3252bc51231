// power F
func.func @power_f64() {
  %x0 = stablehlo.constant dense<[-2.0, -0.0, -36.0, 5.0, 3.0, 10000.0]> : tensor<6xf64>
  %x1 = stablehlo.constant dense<[2.0, 2.0, 1.1, 2.0, -1.0, 10.0]> : tensor<6xf64>
  %r = stablehlo.power %x0, %x1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %expected = stablehlo.constant dense<[4.0, 0.0, 0x7FF8000000000000, 25.0, 0.33333333333333331, 1.0e40]> : tensor<6xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<6xf64>, tensor<6xf64>
  return
}

// power F: power f32
func.func @power_f32() {
  %x0 = stablehlo.constant dense<[-2.0, -0.0, -36.0, 5.0, 3.0, 10000.0]> : tensor<6xf32>
  %x1 = stablehlo.constant dense<[2.0, 2.0, 1.1, 2.0, -1.0, 10.0]> : tensor<6xf32>
  %r = stablehlo.power %x0, %x1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %expected = stablehlo.constant dense<[4.0, 0.0, 0x7FC00000, 25.0, 0.333333343, 0x7F800000]> : tensor<6xf32>
  check.expect_close %r, %expected, max_ulp_difference = 6 : tensor<6xf32>, tensor<6xf32>
  return
}

// power SI: power integer
func.func @power_s32() {
  %x0 = stablehlo.constant dense<[3, -1, -1, 2]> : tensor<4xi32>
  %x1 = stablehlo.constant dense<[4, 3, 4, 0]> : tensor<4xi32>
  %r = stablehlo.power %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[81, -1, 1, 1]> : tensor<4xi32>
  return
}

// power UI: power unsigned
func.func @power_u8() {
  %x0 = stablehlo.constant dense<[3, 2]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<[4, 7]> : tensor<2xui8>
  %r = stablehlo.power %x0, %x1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[81, 128]> : tensor<2xui8>
  return
}

// power C: power complex
func.func @power_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(2.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.power %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// power Q
func.func @power_q8() {
  %a_real = stablehlo.constant dense<[2.0, 3.0, -2.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.power %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[17, 19, -3]> : tensor<3xi8>
  return
}
