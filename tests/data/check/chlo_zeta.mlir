// chlo_zeta F: zeta f32
func.func @chlo_zeta_f32() {
  %x0 = stablehlo.constant dense<[2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, 0x7FC00000, 1.5, 30.0, 8.0]> : tensor<13xf32>
  %x1 = stablehlo.constant dense<[1.0, 0.5, 3.0, 2.0, 2.0, 0.0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25]> : tensor<13xf32>
  %r = chlo.zeta %x0, %x1 : tensor<13xf32>, tensor<13xf32> -> tensor<13xf32>
  %expected = stablehlo.constant dense<[1.6449340668482264, 8.41439832211716, 0.1647105619542803, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07]> : tensor<13xf32>
  check.expect_close %r, %expected, max_ulp_difference = 68 : tensor<13xf32>, tensor<13xf32>
  return
}

// chlo_zeta F: zeta f64
func.func @chlo_zeta_f64() {
  %x0 = stablehlo.constant dense<[2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, 0x7FF8000000000000, 1.5, 30.0, 8.0]> : tensor<13xf64>
  %x1 = stablehlo.constant dense<[1.0, 0.5, 3.0, 2.0, 2.0, 0.0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25]> : tensor<13xf64>
  %r = chlo.zeta %x0, %x1 : tensor<13xf64>, tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[1.6449340668482264, 8.41439832211716, 0.1647105619542803, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07]> : tensor<13xf64>
  check.expect_close %r, %expected, max_ulp_difference = 91 : tensor<13xf64>, tensor<13xf64>
  return
}

// chlo_zeta F: zeta bf16
func.func @chlo_zeta_bf16() {
  %x0 = stablehlo.constant dense<[2.0, 3.0, 2.5, 1.0, 0.5, 2.0, 3.0, 2.0, 2.5, 0x7FC0, 1.5, 30.0, 8.0]> : tensor<13xbf16>
  %x1 = stablehlo.constant dense<[1.0, 0.5, 3.0, 2.0, 2.0, 0.0, -1.0, -1.0, -1.0, 1.0, 10.0, 2.5, 7.25]> : tensor<13xbf16>
  %r = chlo.zeta %x0, %x1 : tensor<13xbf16>, tensor<13xbf16> -> tensor<13xbf16>
  %expected = stablehlo.constant dense<[1.6449340668482264, 8.41439832211716, 0.1647105619542803, 0x7F80, 0x7FC0, 0x7F80, 0x7FC0, 0x7F80, 0x7FC0, 0x7FC0, 0.6486616319415704, 1.1529691685630237e-12, 2.129118267025136e-07]> : tensor<13xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<13xbf16>, tensor<13xbf16>
  return
}
