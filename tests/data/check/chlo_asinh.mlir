// chlo_asinh F: asinh f64
func.func @chlo_asinh_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.asinh %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0xFFF0000000000000, -3.714166420572117, -1.8184464592320668, -1.1947632172871092, -0.881373587019543, -0.6931471805599453, -0.48121182505960347, -0.0, 0.0, 0.12467674692144275, 0.48121182505960347, 0.6931471805599453, 0.881373587019543, 1.1947632172871092, 1.4436354751788103, 1.8184464592320668, 3.714166420572117, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_asinh F: asinh f32
func.func @chlo_asinh_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.asinh %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0xFF800000, -2.7141664028167725, -0.8184465169906616, -0.19476318359375, 0.1186264157295227, 0.3068528175354004, 0.5187881886959076, 1.0, 1.0, 1.1246767491102219, 1.4812118113040924, 1.6931471824645996, 1.8813735842704773, 2.19476318359375, 2.4436354637145996, 2.8184465169906616, 4.7141664028167725, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 7.43e-06
  return
}

// chlo_asinh F: asinh f16
func.func @chlo_asinh_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C00, 0x7E00]> : tensor<17xf16>
  %r = chlo.asinh %x0 : tensor<17xf16> -> tensor<17xf16>
  %expected = stablehlo.constant dense<[0xFC00, -1.818359375, -1.1943359375, -0.88134765625, -0.693359375, -0.481201171875, -0.0, 0.0, 0.12469482421875, 0.481201171875, 0.693359375, 0.88134765625, 1.1943359375, 1.443359375, 1.818359375, 0x7C00, 0x7E00]> : tensor<17xf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<17xf16>, tensor<17xf16>
  return
}

// chlo_asinh C: asinh c64
func.func @chlo_asinh_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.asinh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.4926756834207706, 0.2243284526346675), (-1.3618009008578458, 1.2930420702371828), (1.9168395294689364, -0.44656704907177), (-1.4450319254525599, -0.055860956954364105), (0.03162541199115212, 1.539176185266534)]> : tensor<5xcomplex<f32>>, tolerance = 4.83e-06
  return
}

// chlo_asinh C: asinh c128
func.func @chlo_asinh_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.asinh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.4926756834207706, 0.2243284526346675), (-1.3618009008578458, 1.2930420702371828), (1.9168395294689364, -0.44656704907177), (-1.4450319254525599, -0.055860956954364105), (0.0316254112399638, 1.5391761860173467)]> : tensor<5xcomplex<f64>>, tolerance = 1.17e-14
  return
}
