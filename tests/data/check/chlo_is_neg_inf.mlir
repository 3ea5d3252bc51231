// chlo_is_neg_inf F: is_neg_inf
func.func @chlo_is_neg_inf_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, 0x7F80, 0x7FC0, 1.0]> : tensor<4xbf16>
  %r = chlo.is_neg_inf %x0 : tensor<4xbf16> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, false, false]> : tensor<4xi1>
  return
}

// chlo_is_neg_inf F: is_neg_inf
func.func @chlo_is_neg_inf_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, 0x7C00, 0x7E00, 1.0]> : tensor<4xf16>
  %r = chlo.is_neg_inf %x0 : tensor<4xf16> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, false, false]> : tensor<4xi1>
  return
}

// chlo_is_neg_inf F: is_neg_inf
func.func @chlo_is_neg_inf_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, 0x7F800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = chlo.is_neg_inf %x0 : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, false, false]> : tensor<4xi1>
  return
}

// chlo_is_neg_inf F: is_neg_inf
func.func @chlo_is_neg_inf_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1.0]> : tensor<4xf64>
  %r = chlo.is_neg_inf %x0 : tensor<4xf64> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, false, false]> : tensor<4xi1>
  return
}
