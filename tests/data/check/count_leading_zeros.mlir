// count_leading_zeros SI
func.func @count_leading_zeros_s64() {
  %x0 = stablehlo.constant dense<[0, 1, 128, -1]> : tensor<4xi64>
  %r = stablehlo.count_leading_zeros %x0 : (tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %r, dense<[64, 63, 56, 0]> : tensor<4xi64>
  return
}

// count_leading_zeros UI
func.func @count_leading_zeros_u64() {
  %x0 = stablehlo.constant dense<[0, 1, 64]> : tensor<3xui64>
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xui64>) -> tensor<3xui64>
  check.expect_eq_const %r, dense<[64, 63, 57]> : tensor<3xui64>
  return
}

// count_leading_zeros SI
func.func @count_leading_zeros_s8() {
  %x0 = stablehlo.constant dense<[0, 1, 64]> : tensor<3xi8>
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %r, dense<[8, 7, 1]> : tensor<3xi8>
  return
}

// count_leading_zeros UI
func.func @count_leading_zeros_u16() {
  %x0 = stablehlo.constant dense<[0, 1, 64]> : tensor<3xui16>
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xui16>) -> tensor<3xui16>
  check.expect_eq_const %r, dense<[16, 15, 9]> : tensor<3xui16>
  return
}
