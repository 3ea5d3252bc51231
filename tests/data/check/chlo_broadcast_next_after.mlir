// chlo_broadcast_next_after F: broadcast_next_after
func.func @chlo_broadcast_next_after_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_next_after %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0000001192092896, 2.999999761581421]> : tensor<2xf32>
  return
}
