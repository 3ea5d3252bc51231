// chlo__asin_acos_kernel C: _asin_acos_kernel c64
func.func @chlo__asin_acos_kernel_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo._asin_acos_kernel %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.9117543273261622, 0.2813960562452928), (2.2252957142840675, 1.4657153519472905), (1.570032592280637, 1.8902413596022003), (0.14421329755552748, 1.3199506863946082), (1.414213385596433, 0.8813737637962493)]> : tensor<5xcomplex<f32>>
  check.expect_close %r, %expected, max_ulp_difference = 34 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}

// chlo__asin_acos_kernel C: _asin_acos_kernel c128
func.func @chlo__asin_acos_kernel_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo._asin_acos_kernel %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.9117543273261622, 0.2813960562452928), (2.2252957142840675, 1.4657153519472905), (1.570032592280637, 1.8902413596022003), (0.14421329755552748, 1.3199506863946082), (1.414213385596433, 0.8813737637962493)]> : tensor<5xcomplex<f64>>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  return
}
