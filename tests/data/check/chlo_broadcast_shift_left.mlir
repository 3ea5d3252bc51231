// chlo_broadcast_shift_left SI: broadcast_shift_left
func.func @chlo_broadcast_shift_left_s32() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %r = chlo.broadcast_shift_left %x0, %x1 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[24, 20]> : tensor<2xi32>
  return
}

// chlo_broadcast_shift_left UI: broadcast_shift_left
func.func @chlo_broadcast_shift_left_u8() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<2> : tensor<ui8>
  %r = chlo.broadcast_shift_left %x0, %x1 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[24, 20]> : tensor<2xui8>
  return
}
