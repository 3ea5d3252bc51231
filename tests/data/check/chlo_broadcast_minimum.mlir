// chlo_broadcast_minimum F: broadcast_minimum
func.func @chlo_broadcast_minimum_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_minimum %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_minimum F: broadcast_minimum
func.func @chlo_broadcast_minimum_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_minimum %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf64>
  return
}

// chlo_broadcast_minimum SI: broadcast_minimum
func.func @chlo_broadcast_minimum_s32() {
  %x0 = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = chlo.broadcast_minimum %x0, %x1 : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [1, 2]]> : tensor<2x2xi32>
  return
}
