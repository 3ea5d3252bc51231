// chlo_broadcast_or SI: broadcast_or
func.func @chlo_broadcast_or_s32() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<5> : tensor<i32>
  %r = chlo.broadcast_or %x0, %x1 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[7, 5]> : tensor<2xi32>
  return
}

// chlo_broadcast_or UI: broadcast_or
func.func @chlo_broadcast_or_u8() {
  %x0 = stablehlo.constant dense<[6, 5]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<5> : tensor<ui8>
  %r = chlo.broadcast_or %x0, %x1 : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[7, 5]> : tensor<2xui8>
  return
}
