// chlo_bessel_i1e F: bessel_i1e f64
func.func @chlo_bessel_i1e_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.bessel_i1e %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[-0.0, -0.08647411349408725, -0.19682671329730086, -0.21903938742092569, -0.20791041534970844, -0.18988779330485503, -0.1564208031848717, -0.0, 0.0, 0.05526385324160324, 0.1564208031848717, 0.18988779330485503, 0.20791041534970844, 0.21903938742092569, 0.21526928924893765, 0.19682671329730086, 0.08647411349408725, 0.0, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_bessel_i1e F: bessel_i1e f32
func.func @chlo_bessel_i1e_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.bessel_i1e %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[1.0, 0.9135258868336678, 0.8031732887029648, 0.7809606194496155, 0.792089581489563, 0.8101122081279755, 0.8435792028903961, 1.0, 1.0, 1.0552638545632362, 1.1564207971096039, 1.1898877918720245, 1.207910418510437, 1.2190393805503845, 1.2152692824602127, 1.1968267112970352, 1.0864741131663322, 1.0, 0x7FC00000]> : tensor<19xf32>, tolerance = 4.38e-07
  return
}
