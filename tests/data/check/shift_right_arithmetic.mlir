// shift_right_arithmetic SI
func.func @shift_right_arithmetic_s64() {
  %x0 = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %x1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %r = stablehlo.shift_right_arithmetic %x0, %x1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  check.expect_eq_const %r, dense<[-1, 0, 1]> : tensor<3xi64>
  return
}

// shift_right_arithmetic UI: shift_right_arithmetic types
func.func @shift_right_arithmetic_u8() {
  %x0 = stablehlo.constant dense<[1, 0, 8]> : tensor<3xui8>
  %x1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  %r = stablehlo.shift_right_arithmetic %x0, %x1 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %r, dense<[0, 0, 1]> : tensor<3xui8>
  return
}

// shift_right_arithmetic SI: shift_right_arithmetic types
func.func @shift_right_arithmetic_s32() {
  %x0 = stablehlo.constant dense<[1, 0, 8]> : tensor<3xi32>
  %x1 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r = stablehlo.shift_right_arithmetic %x0, %x1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[0, 0, 1]> : tensor<3xi32>
  return
}
