// popcnt SI
func.func @popcnt_s64() {
  %x0 = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %r = stablehlo.popcnt %x0 : (tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %r, dense<[0, 1, 1, 7]> : tensor<4xi64>
  return
}

// popcnt UI
func.func @popcnt_u8() {
  %x0 = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xui8>
  %r = stablehlo.popcnt %x0 : (tensor<4xui8>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[0, 1, 1, 7]> : tensor<4xui8>
  return
}

// popcnt SI
func.func @popcnt_s8() {
  %x0 = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi8>
  %r = stablehlo.popcnt %x0 : (tensor<4xi8>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[0, 1, 1, 7]> : tensor<4xi8>
  return
}

// popcnt UI
func.func @popcnt_u32() {
  %x0 = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xui32>
  %r = stablehlo.popcnt %x0 : (tensor<4xui32>) -> tensor<4xui32>
  check.expect_eq_const %r, dense<[0, 1, 1, 7]> : tensor<4xui32>
  return
}
