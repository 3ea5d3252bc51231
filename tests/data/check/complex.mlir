// complex F
func.func @complex_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %r = stablehlo.complex %x0, %x1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  return
}

// complex F: complex f64
func.func @complex_f64() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %x1 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf64>
  %r = stablehlo.complex %x0, %x1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %r, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return
}
