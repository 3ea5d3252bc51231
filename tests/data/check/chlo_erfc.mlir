// chlo_erfc F: erfc f64
func.func @chlo_erfc_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.erfc %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[2.0, 2.0, 1.9999779095030015, 1.9661051464753108, 1.8427007929497148, 1.7111556336535152, 1.5204998778130465, 1.0, 1.0, 0.8596837951986662, 0.4795001221869535, 0.28884436634648486, 0.15729920705028513, 0.033894853524689274, 0.004677734981047266, 2.209049699858544e-05, 8.450842369572458e-185, 0.0, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_erfc F: erfc f32
func.func @chlo_erfc_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.erfc %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[3.0, 3.0, 2.999977946281433, 2.966105103492737, 2.8427008390426636, 2.711155652999878, 2.5204998254776, 2.0, 2.0, 1.8596838116645813, 1.4795001149177551, 1.2888443768024445, 1.15729920566082, 1.0338948518037796, 1.0046777348034084, 1.0000220904967136, 1.0, 1.0, 0x7FC00000]> : tensor<19xf32>, tolerance = 4.00e-06
  return
}

// chlo_erfc F: erfc f16
func.func @chlo_erfc_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C00, 0x7E00]> : tensor<17xf16>
  %r = chlo.erfc %x0 : tensor<17xf16> -> tensor<17xf16>
  %expected = stablehlo.constant dense<[2.0, 2.0, 1.9658203125, 1.8427734375, 1.7109375, 1.5205078125, 1.0, 1.0, 0.85986328125, 0.4794921875, 0.288818359375, 0.1573486328125, 0.033905029296875, 0.00467681884765625, 2.2113323211669922e-05, 0.0, 0x7E00]> : tensor<17xf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<17xf16>, tensor<17xf16>
  return
}
