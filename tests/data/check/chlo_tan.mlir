// chlo_tan C: tan c64
func.func @chlo_tan_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.tan %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.504500702698564, 0.3124206925025888), (-0.030215987322877575, 0.979940849961738), (-0.025337300300091577, -0.9084174179337577), (2.0033447309700536, -0.6686943515558469), (0.000419974257957229, 0.7615944758058272)]> : tensor<5xcomplex<f32>>, tolerance = 5.01e-06
  return
}

// chlo_tan C: tan c128
func.func @chlo_tan_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.tan %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.504500702698564, 0.3124206925025888), (-0.030215987322877575, 0.979940849961738), (-0.025337300300091577, -0.9084174179337577), (2.0033447309700536, -0.6686943515558469), (0.00041997423800953297, 0.7615944758057969)]> : tensor<5xcomplex<f64>>, tolerance = 1.20e-14
  return
}
