// chlo_broadcast_compare F: broadcast_compare
func.func @chlo_broadcast_compare_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_compare %x0, %x1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// chlo_broadcast_compare SI: broadcast_compare
func.func @chlo_broadcast_compare_s32() {
  %x0 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %r = chlo.broadcast_compare %x0, %x1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}
