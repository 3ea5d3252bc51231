// constant F
func.func @constant_f32() {
  %r = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  return
}

// constant SI: constant s8
func.func @constant_s8() {
  %r = stablehlo.constant dense<7> : tensor<3xi8>
  check.expect_eq_const %r, dense<[7, 7, 7]> : tensor<3xi8>
  return
}

// constant UI: constant u32
func.func @constant_u32() {
  %r = stablehlo.constant dense<[1, 4294967295]> : tensor<2xui32>
  check.expect_eq_const %r, dense<[1, 4294967295]> : tensor<2xui32>
  return
}

// constant B: constant i1
func.func @constant_pred() {
  %r = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// constant C: constant complex
func.func @constant_c64() {
  %r = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// constant Q
func.func @constant_q8() {
  %r = stablehlo.constant() <{value = dense<[-128, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!q8>
  check.expect_eq_const %r, dense<[-128, 0, 127]> : tensor<3xi8>
  return
}
