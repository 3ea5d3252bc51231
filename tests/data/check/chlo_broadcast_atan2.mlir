// chlo_broadcast_atan2 F: broadcast_atan2
func.func @chlo_broadcast_atan2_f32() {
  %x0 = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = chlo.broadcast_atan2 %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0.0, 1.5707963267948966]> : tensor<2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

// chlo_broadcast_atan2 F: broadcast_atan2
func.func @chlo_broadcast_atan2_f64() {
  %x0 = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf64>
  %x1 = stablehlo.constant dense<0.0> : tensor<f64>
  %r = chlo.broadcast_atan2 %x0, %x1 : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[0.0, 1.5707963267948966]> : tensor<2xf64>
  check.expect_close %r, %expected, max_ulp_difference = 900719926 : tensor<2xf64>, tensor<2xf64>
  return
}
