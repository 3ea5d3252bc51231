// chlo_square C: square c64
func.func @chlo_square_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.square %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.1875, 0.25), (-3.75, -2.0), (6.75, -9.0), (3.984375, 0.5), (-0.999998999999905, 0.0020000000949949026)]> : tensor<5xcomplex<f32>>, tolerance = 1.90e-05
  return
}

// chlo_square C: square c128
func.func @chlo_square_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.square %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.1875, 0.25), (-3.75, -2.0), (6.75, -9.0), (3.984375, 0.5), (-0.999999, 0.002)]> : tensor<5xcomplex<f64>>, tolerance = 4.00e-14
  return
}

// chlo_square F: square
func.func @chlo_square_bf16() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0.0, 0x7F80]> : tensor<4xbf16>
  %r = chlo.square %x0 : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_eq_const %r, dense<[2.25, 4.0, 0.0, 0x7F80]> : tensor<4xbf16>
  return
}

// chlo_square F: square
func.func @chlo_square_f16() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0.0, 0x7C00]> : tensor<4xf16>
  %r = chlo.square %x0 : tensor<4xf16> -> tensor<4xf16>
  check.expect_eq_const %r, dense<[2.25, 4.0, 0.0, 0x7C00]> : tensor<4xf16>
  return
}

// chlo_square F: square
func.func @chlo_square_f32() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0.0, 0x7F800000]> : tensor<4xf32>
  %r = chlo.square %x0 : tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %r, dense<[2.25, 4.0, 0.0, 0x7F800000]> : tensor<4xf32>
  return
}

// chlo_square F: square
func.func @chlo_square_f64() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0.0, 0x7FF0000000000000]> : tensor<4xf64>
  %r = chlo.square %x0 : tensor<4xf64> -> tensor<4xf64>
  check.expect_eq_const %r, dense<[2.25, 4.0, 0.0, 0x7FF0000000000000]> : tensor<4xf64>
  return
}
