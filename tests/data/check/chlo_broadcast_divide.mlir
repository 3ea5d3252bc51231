// chlo_broadcast_divide F: broadcast_divide
func.func @chlo_broadcast_divide_f32() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = chlo.broadcast_divide %x0, %x1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[10.0, 5.0], [20.0, 10.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_divide F: broadcast_divide
func.func @chlo_broadcast_divide_f64() {
  %x0 = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf64>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_divide %x0, %x1 : (tensor<2x1xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[10.0, 5.0], [20.0, 10.0]]> : tensor<2x2xf64>
  return
}
