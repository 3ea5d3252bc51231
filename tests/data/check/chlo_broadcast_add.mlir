// chlo_broadcast_add F: broadcast_add
func.func @chlo_broadcast_add_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_add %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[11.0, 12.0], [21.0, 22.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_add F: broadcast_add
func.func @chlo_broadcast_add_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_add %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[11.0, 12.0], [21.0, 22.0]]> : tensor<2x2xf64>
  return
}

// chlo_broadcast_add SI: broadcast_add
func.func @chlo_broadcast_add_s32() {
  %x0 = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = chlo.broadcast_add %x0, %x1 : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[11, 12], [21, 22]]> : tensor<2x2xi32>
  return
}
