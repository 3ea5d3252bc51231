// xor B: xor i1
func.func @xor_pred() {
  %x0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.xor %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, false]> : tensor<4xi1>
  return
}

// xor SI
func.func @xor_s32() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %r = stablehlo.xor %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[4, 4, 4, 12]> : tensor<4xi32>
  return
}

// xor UI
func.func @xor_u8() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xui8>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xui8>
  %r = stablehlo.xor %x0, %x1 : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[4, 4, 4, 12]> : tensor<4xui8>
  return
}

// xor SI
func.func @xor_s64() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %r = stablehlo.xor %x0, %x1 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %r, dense<[4, 4, 4, 12]> : tensor<4xi64>
  return
}
