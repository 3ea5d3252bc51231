// chlo_atanh F: atanh f64
func.func @chlo_atanh_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.atanh %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, -0.9729550745276566, -0.5493061443340549, -0.0, 0.0, 0.12565721414045303, 0.5493061443340549, 0.9729550745276566, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_atanh F: atanh f32
func.func @chlo_atanh_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.atanh %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0.027044951915740967, 0.45069384574890137, 1.0, 1.0, 1.1256572157144547, 1.5493061542510986, 1.972955048084259, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<19xf32>, tolerance = 1.95e-06
  return
}

// chlo_atanh F: atanh f8e5m2
func.func @chlo_atanh_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  %r = chlo.atanh %x0 : tensor<17xf8E5M2> -> tensor<17xf8E5M2>
  %expected = stablehlo.constant dense<[0x7E, 0x7E, 0x7E, 0xFC, -1.0, -0.5, -0.0, 0.0, 0.125, 0.5, 1.0, 0x7C, 0x7E, 0x7E, 0x7E, 0x7E, 0x7E]> : tensor<17xf8E5M2>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xf8E5M2>, tensor<17xf8E5M2>
  return
}

// chlo_atanh C: atanh c64
func.func @chlo_atanh_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.atanh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.5003700000525311, 0.3143981432077165), (-0.09641562020299617, 1.1265564408348223), (0.2678959040700476, -1.4284311075335405), (-0.5458637491531156, -1.52944011907081), (0.0004999999404153554, 0.7853984133974721)]> : tensor<5xcomplex<f32>>, tolerance = 4.06e-06
  return
}

// chlo_atanh C: atanh c128
func.func @chlo_atanh_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.atanh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.5003700000525311, 0.3143981432077165), (-0.09641562020299617, 1.1265564408348223), (0.2678959040700476, -1.4284311075335405), (-0.5458637491531156, -1.52944011907081), (0.0004999999166666417, 0.7853984133974483)]> : tensor<5xcomplex<f64>>, tolerance = 1.01e-14
  return
}
