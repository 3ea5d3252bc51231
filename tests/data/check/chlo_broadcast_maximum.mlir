// chlo_broadcast_maximum F: broadcast_maximum
func.func @chlo_broadcast_maximum_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_maximum %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[10.0, 10.0], [20.0, 20.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_maximum F: broadcast_maximum
func.func @chlo_broadcast_maximum_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_maximum %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[10.0, 10.0], [20.0, 20.0]]> : tensor<2x2xf64>
  return
}

// chlo_broadcast_maximum SI: broadcast_maximum
func.func @chlo_broadcast_maximum_s32() {
  %x0 = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = chlo.broadcast_maximum %x0, %x1 : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[10, 10], [20, 20]]> : tensor<2x2xi32>
  return
}
