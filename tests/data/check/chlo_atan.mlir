// chlo_atan F: atan f64
func.func @chlo_atan_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.atan %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[-1.5707963267948966, -1.522054475484965, -1.2490457723982544, -0.982793723247329, -0.7853981633974483, -0.6435011087932844, -0.4636476090008061, -0.0, 0.0, 0.12435499454676144, 0.4636476090008061, 0.6435011087932844, 0.7853981633974483, 0.982793723247329, 1.1071487177940904, 1.2490457723982544, 1.522054475484965, 1.5707963267948966, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_atan F: atan f32
func.func @chlo_atan_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.atan %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[-0.5707963705062866, -0.5220544338226318, -0.249045729637146, 0.017206251621246338, 0.2146018147468567, 0.3564988970756531, 0.5363523960113525, 1.0, 1.0, 1.1243549957871437, 1.4636476039886475, 1.643501102924347, 1.7853981852531433, 1.9827937483787537, 2.107148766517639, 2.249045729637146, 2.522054433822632, 2.5707963705062866, 0x7FC00000]> : tensor<19xf32>, tolerance = 3.14e-06
  return
}

// chlo_atan C: atan c64
func.func @chlo_atan_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.atan %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.4842544903299662, 0.20058661813123432), (-1.421546861001807, 0.5003700000525311), (1.3060015274038583, -0.1249889878822717), (-1.1083963758408342, -0.024942788436237526), (0.7856481633884893, 3.8004512685223144)]> : tensor<5xcomplex<f32>>, tolerance = 8.60e-06
  return
}

// chlo_atan C: atan c128
func.func @chlo_atan_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.atan %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.4842544903299662, 0.20058661813123432), (-1.421546861001807, 0.5003700000525311), (1.3060015274038583, -0.1249889878822717), (-1.1083963758408342, -0.024942788436237526), (0.785648163376615, 3.8004512922710334)]> : tensor<5xcomplex<f64>>, tolerance = 1.92e-14
  return
}
