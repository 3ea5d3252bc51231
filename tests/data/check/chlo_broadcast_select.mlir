// chlo_broadcast_select F: broadcast_select
func.func @chlo_broadcast_select_f32() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %x2 = stablehlo.constant dense<9.0> : tensor<f32>
  %r = chlo.broadcast_select %x0, %x1, %x2 : (tensor<2xi1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 9.0], [2.0, 9.0]]> : tensor<2x2xf32>
  return
}

// chlo_broadcast_select SI: broadcast_select
func.func @chlo_broadcast_select_s32() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %x2 = stablehlo.constant dense<9> : tensor<i32>
  %r = chlo.broadcast_select %x0, %x1, %x2 : (tensor<2xi1>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[1, 9], [2, 9]]> : tensor<2x2xi32>
  return
}
