// chlo_asin F: asin f64
func.func @chlo_asin_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.asin %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, -1.5707963267948966, -0.848062078981481, -0.5235987755982989, -0.0, 0.0, 0.1253278311680654, 0.5235987755982989, 0.848062078981481, 1.5707963267948966, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_asin F: asin f32
func.func @chlo_asin_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.asin %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, -0.5707963705062866, 0.15193790197372437, 0.4764012098312378, 1.0, 1.0, 1.1253278255462646, 1.5235987901687622, 1.8480620980262756, 2.5707963705062866, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<19xf32>, tolerance = 3.14e-06
  return
}

// chlo_asin C: asin c64
func.func @chlo_asin_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.asin %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.5016088532755008, 0.2813960562452928), (-0.22101863562288385, 1.4657153519472905), (1.0886482420610688, -1.8902413596022003), (-1.4988142592876712, -1.3199506863946082), (0.0007071067853095163, 0.8813737637962662)]> : tensor<5xcomplex<f32>>, tolerance = 4.78e-06
  return
}

// chlo_asin C: asin c128
func.func @chlo_asin_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.asin %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.5016088532755008, 0.2813960562452928), (-0.22101863562288385, 1.4657153519472905), (1.0886482420610688, -1.8902413596022003), (-1.4988142592876712, -1.3199506863946082), (0.0007071067517237506, 0.8813737637962493)]> : tensor<5xcomplex<f64>>, tolerance = 1.16e-14
  return
}
