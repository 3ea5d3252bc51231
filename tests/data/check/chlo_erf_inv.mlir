// chlo_erf_inv F: erf_inv f64
func.func @chlo_erf_inv_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.erf_inv %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -0.8134198475976185, -0.4769362762044699, -0.0, 0.0, 0.11123545184094996, 0.4769362762044699, 0.8134198475976185, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_erf_inv F: erf_inv f32
func.func @chlo_erf_inv_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.erf_inv %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0.18658018112182617, 0.5230637192726135, 1.0, 1.0, 1.1112354546785355, 1.4769362807273865, 1.8134198188781738, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<19xf32>, tolerance = 1.63e-06
  return
}

// chlo_erf_inv F: erf_inv f8e5m2
func.func @chlo_erf_inv_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  %r = chlo.erf_inv %x0 : tensor<17xf8E5M2> -> tensor<17xf8E5M2>
  %expected = stablehlo.constant dense<[0x7E, 0x7E, 0x7E, 0xFC, -0.875, -0.5, -0.0, 0.0, 0.109375, 0.5, 0.875, 0x7C, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E]> : tensor<17xf8E5M2>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xf8E5M2>, tensor<17xf8E5M2>
  return
}
