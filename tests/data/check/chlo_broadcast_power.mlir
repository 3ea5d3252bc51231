// chlo_broadcast_power F: broadcast_power
func.func @chlo_broadcast_power_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_power %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %expected = stablehlo.constant dense<[[10.0, 100.0], [20.0, 400.0]]> : tensor<2x2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 17 : tensor<2x2xf32>, tensor<2x2xf32>
  return
}

// chlo_broadcast_power F: broadcast_power
func.func @chlo_broadcast_power_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_power %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[10.0, 100.0], [20.0, 400.0]]> : tensor<2x2xf64>
  check.expect_close %r, %expected, max_ulp_difference = 9007199255 : tensor<2x2xf64>, tensor<2x2xf64>
  return
}
