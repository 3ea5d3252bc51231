// chlo_acosh F: acosh f64
func.func @chlo_acosh_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.acosh %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, 0.9624236501192069, 1.3169578969248168, 1.762747174039086, 3.7129766511733946, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_acosh F: acosh f32
func.func @chlo_acosh_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.acosh %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, 1.9624236226081848, 2.316957950592041, 2.7627471685409546, 4.712976694107056, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 7.43e-06
  return
}

// chlo_acosh C: acosh c64
func.func @chlo_acosh_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.acosh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.2813960562452928, 1.0691874735193958), (1.4657153519472905, 1.7918149624177804), (1.8902413596022003, -0.48214808473382775), (1.3199506863946082, -3.0696105860825678), (0.8813737637962662, 1.570089220009587)]> : tensor<5xcomplex<f32>>, tolerance = 7.14e-06
  return
}

// chlo_acosh C: acosh c128
func.func @chlo_acosh_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.acosh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.2813960562452928, 1.0691874735193958), (1.4657153519472905, 1.7918149624177804), (1.8902413596022003, -0.48214808473382775), (1.3199506863946082, -3.0696105860825678), (0.8813737637962493, 1.5700892200431729)]> : tensor<5xcomplex<f64>>, tolerance = 1.63e-14
  return
}
