// chlo_broadcast_polygamma F: broadcast_polygamma
func.func @chlo_broadcast_polygamma_f32() {
  %x0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_polygamma %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[-0.4041138063191886, 0.49393940226682914]> : tensor<2xf32>
  check.expect_close %r, %expected, max_ulp_difference = 168 : tensor<2xf32>, tensor<2xf32>
  return
}
