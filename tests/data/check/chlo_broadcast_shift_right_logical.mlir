// chlo_broadcast_shift_right_logical SI: broadcast_shift_right_logical
func.func @chlo_broadcast_shift_right_logical_s32() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %r = chlo.broadcast_shift_right_logical %x0, %x1 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 1]> : tensor<2xi32>
  return
}

// chlo_broadcast_shift_right_logical UI: broadcast_shift_right_logical
func.func @chlo_broadcast_shift_right_logical_u8() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<2> : tensor<ui8>
  %r = chlo.broadcast_shift_right_logical %x0, %x1 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[1, 1]> : tensor<2xui8>
  return
}
