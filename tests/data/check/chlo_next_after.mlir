// chlo_next_after F: next_after f32
func.func @chlo_next_after_f32() {
  %x0 = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0.5, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0, 2.0]> : tensor<11xf32>
  %x1 = stablehlo.constant dense<[2.0, 0.0, 0.0, -2.0, 0.5, 3.5, 0.0, 0.0, 1.0, 0x7FC00000, 0x7F800000]> : tensor<11xf32>
  %r = chlo.next_after %x0, %x1 : tensor<11xf32>, tensor<11xf32> -> tensor<11xf32>
  %expected = stablehlo.constant dense<[1.0000001192092896, 0.9999999403953552, -0.9999999403953552, -1.0000001192092896, 0.5, 3.000000238418579, 3.4028234663852886e+38, -3.4028234663852886e+38, 0x7FC00000, 0x7FC00000, 2.000000238418579]> : tensor<11xf32>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<11xf32>, tensor<11xf32>
  return
}

// chlo_next_after F: next_after f64
func.func @chlo_next_after_f64() {
  %x0 = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0.5, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0, 2.0]> : tensor<11xf64>
  %x1 = stablehlo.constant dense<[2.0, 0.0, 0.0, -2.0, 0.5, 3.5, 0.0, 0.0, 1.0, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<11xf64>
  %r = chlo.next_after %x0, %x1 : tensor<11xf64>, tensor<11xf64> -> tensor<11xf64>
  %expected = stablehlo.constant dense<[1.0000000000000002, 0.9999999999999999, -0.9999999999999999, -1.0000000000000002, 0.5, 3.0000000000000004, 1.7976931348623157e+308, -1.7976931348623157e+308, 0x7FF8000000000000, 0x7FF8000000000000, 2.0000000000000004]> : tensor<11xf64>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<11xf64>, tensor<11xf64>
  return
}

// chlo_next_after F: next_after f16
func.func @chlo_next_after_f16() {
  %x0 = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0.5, 3.0, 0x7C00, 0xFC00, 0x7E00, 1.0, 2.0]> : tensor<11xf16>
  %x1 = stablehlo.constant dense<[2.0, 0.0, 0.0, -2.0, 0.5, 3.5, 0.0, 0.0, 1.0, 0x7E00, 0x7C00]> : tensor<11xf16>
  %r = chlo.next_after %x0, %x1 : tensor<11xf16>, tensor<11xf16> -> tensor<11xf16>
  %expected = stablehlo.constant dense<[1.0009765625, 0.99951171875, -0.99951171875, -1.0009765625, 0.5, 3.001953125, 65504.0, -65504.0, 0x7E00, 0x7E00, 2.001953125]> : tensor<11xf16>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<11xf16>, tensor<11xf16>
  return
}

// chlo_next_after F: next_after bf16
func.func @chlo_next_after_bf16() {
  %x0 = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0.5, 3.0, 0x7F80, 0xFF80, 0x7FC0, 1.0, 2.0]> : tensor<11xbf16>
  %x1 = stablehlo.constant dense<[2.0, 0.0, 0.0, -2.0, 0.5, 3.5, 0.0, 0.0, 1.0, 0x7FC0, 0x7F80]> : tensor<11xbf16>
  %r = chlo.next_after %x0, %x1 : tensor<11xbf16>, tensor<11xbf16> -> tensor<11xbf16>
  %expected = stablehlo.constant dense<[1.0078125, 0.99609375, -0.99609375, -1.0078125, 0.5, 3.015625, 3.3895313892515355e+38, -3.3895313892515355e+38, 0x7FC0, 0x7FC0, 2.015625]> : tensor<11xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<11xbf16>, tensor<11xbf16>
  return
}
