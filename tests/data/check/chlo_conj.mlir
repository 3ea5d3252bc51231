// chlo_conj C: conj c64
func.func @chlo_conj_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.conj %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.5, -0.25), (-0.5, -2.0), (3.0, 1.5), (-2.0, 0.125), (0.0010000000474974513, -1.0)]> : tensor<5xcomplex<f32>>
  return
}

// chlo_conj C: conj c128
func.func @chlo_conj_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.conj %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_eq_const %r, dense<[(0.5, -0.25), (-0.5, -2.0), (3.0, 1.5), (-2.0, 0.125), (0.001, -1.0)]> : tensor<5xcomplex<f64>>
  return
}

// chlo_conj F: conj
func.func @chlo_conj_f32() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0x7F800000]> : tensor<3xf32>
  %r = chlo.conj %x0 : tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %r, dense<[-1.5, 2.0, 0x7F800000]> : tensor<3xf32>
  return
}

// chlo_conj F: conj
func.func @chlo_conj_f64() {
  %x0 = stablehlo.constant dense<[-1.5, 2.0, 0x7FF0000000000000]> : tensor<3xf64>
  %r = chlo.conj %x0 : tensor<3xf64> -> tensor<3xf64>
  check.expect_eq_const %r, dense<[-1.5, 2.0, 0x7FF0000000000000]> : tensor<3xf64>
  return
}
