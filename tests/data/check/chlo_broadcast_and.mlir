// chlo_broadcast_and SI: broadcast_and
func.func @chlo_broadcast_and_s32() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %r = chlo.broadcast_and %x0, %x1 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[2, 0]> : tensor<2xi32>
  return
}

// chlo_broadcast_and UI: broadcast_and
func.func @chlo_broadcast_and_u8() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<2> : tensor<ui8>
  %r = chlo.broadcast_and %x0, %x1 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[2, 0]> : tensor<2xui8>
  return
}
