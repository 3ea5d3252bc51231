// chlo_acos F: acos f64
func.func @chlo_acos_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.acos %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 3.141592653589793, 2.4188584057763776, 2.0943951023931957, 1.5707963267948966, 1.5707963267948966, 1.4454684956268313, 1.0471975511965979, 0.7227342478134157, 0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_acos F: acos f32
func.func @chlo_acos_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.acos %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 4.141592741012573, 3.418858289718628, 3.094395160675049, 2.5707963705062866, 2.5707963705062866, 2.445468544960022, 2.0471975803375244, 1.722734272480011, 1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<19xf32>, tolerance = 6.28e-06
  return
}

// chlo_acos F: acos bf16
func.func @chlo_acos_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %r = chlo.acos %x0 : tensor<17xbf16> -> tensor<17xbf16>
  %expected = stablehlo.constant dense<[0x7FC0, 0x7FC0, 0x7FC0, 3.140625, 2.421875, 2.09375, 1.5703125, 1.5703125, 1.4453125, 1.046875, 0.72265625, 0.0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<17xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xbf16>, tensor<17xbf16>
  return
}

// chlo_acos C: acos c64
func.func @chlo_acos_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.acos %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(1.0691874735193958, -0.2813960562452928), (1.7918149624177804, -1.4657153519472905), (0.48214808473382775, 1.8902413596022003), (3.0696105860825678, 1.3199506863946082), (1.570089220009587, -0.8813737637962662)]> : tensor<5xcomplex<f32>>, tolerance = 7.14e-06
  return
}

// chlo_acos C: acos c128
func.func @chlo_acos_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.acos %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(1.0691874735193958, -0.2813960562452928), (1.7918149624177804, -1.4657153519472905), (0.48214808473382775, 1.8902413596022003), (3.0696105860825678, 1.3199506863946082), (1.5700892200431729, -0.8813737637962493)]> : tensor<5xcomplex<f64>>, tolerance = 1.63e-14
  return
}
