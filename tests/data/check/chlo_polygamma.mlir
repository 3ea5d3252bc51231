// chlo_polygamma F: polygamma f32
func.func @chlo_polygamma_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, -1.0, 1.5, 1.0, 2.0, 3.0, 1.0, 2.0, 0.0, 0x7FC00000, 4.0, 10.0]> : tensor<15xf32>
  %x1 = stablehlo.constant dense<[1.5, 1.5, 2.5, 10.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, -0.5, 1.0, 0.5, 3.0]> : tensor<15xf32>
  %r = chlo.polygamma %x0, %x1 : tensor<15xf32>, tensor<15xf32> -> tensor<15xf32>
  %expected = stablehlo.constant dense<[0.03648997397857652, 0.9348022005446793, -0.2362040516417274, 0.0023199013042898686, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000, 0x7FC00000, 0.03648997397857652, 0x7FC00000, -771.4742498266672, -21.43660662871299]> : tensor<15xf32>
  check.expect_close %r, %expected, max_ulp_difference = 168 : tensor<15xf32>, tensor<15xf32>
  return
}

// chlo_polygamma F: polygamma f64
func.func @chlo_polygamma_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, -1.0, 1.5, 1.0, 2.0, 3.0, 1.0, 2.0, 0.0, 0x7FF8000000000000, 4.0, 10.0]> : tensor<15xf64>
  %x1 = stablehlo.constant dense<[1.5, 1.5, 2.5, 10.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, -0.5, 1.0, 0.5, 3.0]> : tensor<15xf64>
  %r = chlo.polygamma %x0, %x1 : tensor<15xf64>, tensor<15xf64> -> tensor<15xf64>
  %expected = stablehlo.constant dense<[0.03648997397857652, 0.9348022005446793, -0.2362040516417274, 0.0023199013042898686, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.03648997397857652, 0x7FF8000000000000, -771.4742498266672, -21.43660662871299]> : tensor<15xf64>
  check.expect_close %r, %expected, max_ulp_difference = 361 : tensor<15xf64>, tensor<15xf64>
  return
}
