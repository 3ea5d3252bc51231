// or B: or i1
func.func @or_pred() {
  %x0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.or %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// or SI
func.func @or_s32() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %r = stablehlo.or %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[5, 6, 7, 12]> : tensor<4xi32>
  return
}

// or UI
func.func @or_u8() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xui8>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xui8>
  %r = stablehlo.or %x0, %x1 : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[5, 6, 7, 12]> : tensor<4xui8>
  return
}

// or SI
func.func @or_s64() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %r = stablehlo.or %x0, %x1 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %r, dense<[5, 6, 7, 12]> : tensor<4xi64>
  return
}
