// erf F: Erf
func.func @erf_f32() {
  %x0 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %r = chlo.erf %x0 : tensor<3xf32> -> tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.84270079, 0.0, 0.84270079]> : tensor<3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 9 : tensor<3xf32>, tensor<3xf32>
  return
}

// erf F: erf f64
func.func @erf_f64() {
  %x0 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf64>
  %r = chlo.erf %x0 : tensor<3xf64> -> tensor<3xf64>
  %expected = stablehlo.constant dense<[-0.84270079294971489, 0.0, 0.84270079294971489]> : tensor<3xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<3xf64>, tensor<3xf64>
  return
}
