// chlo_broadcast_zeta F: broadcast_zeta
func.func @chlo_broadcast_zeta_f32() {
  %x0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_zeta %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0.6449340668482264, 0.2020569031595943]> : tensor<2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 168 : tensor<2xf32>, tensor<2xf32>
  return
}
