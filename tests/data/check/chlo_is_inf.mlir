// chlo_is_inf F: is_inf
func.func @chlo_is_inf_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, 0x7F80, 0x7FC0, 1.0]> : tensor<4xbf16>
  %r = chlo.is_inf %x0 : tensor<4xbf16> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// chlo_is_inf F: is_inf
func.func @chlo_is_inf_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, 0x7C00, 0x7E00, 1.0]> : tensor<4xf16>
  %r = chlo.is_inf %x0 : tensor<4xf16> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// chlo_is_inf F: is_inf
func.func @chlo_is_inf_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, 0x7F800000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = chlo.is_inf %x0 : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// chlo_is_inf F: is_inf
func.func @chlo_is_inf_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1.0]> : tensor<4xf64>
  %r = chlo.is_inf %x0 : tensor<4xf64> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// chlo_is_inf F: is_inf
func.func @chlo_is_inf_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, 0x7C, 0x7E, 1.0]> : tensor<4xf8E5M2>
  %r = chlo.is_inf %x0 : tensor<4xf8E5M2> -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// chlo_is_inf F: is_inf f8
func.func @chlo_is_inf_f8e4m3fn() {
  %x0 = stablehlo.constant dense<[0x7F, 448.0, -1.0]> : tensor<3xf8E4M3FN>
  %r = chlo.is_inf %x0 : tensor<3xf8E4M3FN> -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, false, false]> : tensor<3xi1>
  return
}
