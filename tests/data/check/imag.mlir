// imag C
func.func @imag_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.imag %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// imag F: imag real
func.func @imag_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %r = stablehlo.imag %x0 : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[0.0, 0.0]> : tensor<2xf32>
  return
}
