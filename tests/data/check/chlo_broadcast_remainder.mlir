// chlo_broadcast_remainder F: broadcast_remainder
func.func @chlo_broadcast_remainder_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_remainder %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_remainder F: broadcast_remainder
func.func @chlo_broadcast_remainder_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_remainder %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf64>
  return
}
