// fft C
func.func @fft_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %r = stablehlo.fft %x0, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<4xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<(2.0, 1.0)> : tensor<4xcomplex<f32>>, tolerance = 1.00e-06
  return
}

// fft C: fft c128
func.func @fft_c128() {
  %x0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %r = stablehlo.fft %x0, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<4xcomplex<f64>>
  %above = stablehlo.add %r, %one : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %above, dense<(2.0, 1.0)> : tensor<4xcomplex<f64>>, tolerance = 1.00e-14
  return
}

// fft C: fft inverse
func.func @fft_c64_2() {
  %x0 = stablehlo.constant dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  %r = stablehlo.fft %x0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<4xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(2.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0)]> : tensor<4xcomplex<f32>>, tolerance = 1.00e-06
  return
}

// fft F: fft real
func.func @fft_f32() {
  %x0 = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %r = stablehlo.fft %x0, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<3xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<(2.0, 1.0)> : tensor<3xcomplex<f32>>, tolerance = 1.00e-06
  return
}

// fft C: fft real inverse
func.func @fft_c64_3() {
  %x0 = stablehlo.constant dense<(1.0, 0.0)> : tensor<3xcomplex<f32>>
  %r = stablehlo.fft %x0, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %above = stablehlo.add %r, %one : tensor<4xf32>
  check.expect_almost_eq_const %above, dense<[2.0, 1.0, 1.0, 1.0]> : tensor<4xf32>, tolerance = 1.00e-06
  return
}
