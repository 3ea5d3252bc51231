// not SI
func.func @not_s32() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = stablehlo.not %x0 : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[-2, -3, -4, -5]> : tensor<4xi32>
  return
}

// not B: not i1
func.func @not_pred() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r = stablehlo.not %x0 : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// not UI: not unsigned
func.func @not_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = stablehlo.not %x0 : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[255, 254]> : tensor<2xui8>
  return
}
