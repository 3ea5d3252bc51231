// real C
func.func @real_c128() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %r = stablehlo.real %x0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %r, dense<[1.0, 3.0]> : tensor<2xf64>
  return
}

// real F: real real
func.func @real_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %r = stablehlo.real %x0 : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 3.0]> : tensor<2xf32>
  return
}
