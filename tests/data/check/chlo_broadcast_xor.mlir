// chlo_broadcast_xor SI: broadcast_xor
func.func @chlo_broadcast_xor_s32() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<5> : tensor<i32>
  %r = chlo.broadcast_xor %x0, %x1 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[3, 0]> : tensor<2xi32>
  return
}

// chlo_broadcast_xor UI: broadcast_xor
func.func @chlo_broadcast_xor_u8() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<5> : tensor<ui8>
  %r = chlo.broadcast_xor %x0, %x1 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[3, 0]> : tensor<2xui8>
  return
}
