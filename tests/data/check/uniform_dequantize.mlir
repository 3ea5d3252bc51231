!q8 = !quant.uniform<i8:f32, 0.5:1>
!per_axis = !quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>

// uniform_dequantize Q: the specification's
func.func @uniform_dequantize_spec() {
  %x = stablehlo.constant() <{value = dense<[10, 10]> : tensor<2xi8>}> : () -> tensor<2x!per_axis>
  %r = stablehlo.uniform_dequantize %x : (tensor<2x!per_axis>) -> tensor<2xf32>
  check.expect_almost_eq_const %r, dense<[4.0, 15.0]> : tensor<2xf32>, tolerance = 1.0e-6
  return
}

// uniform_dequantize Q
func.func @uniform_dequantize_q8() {
  %x = stablehlo.constant() <{value = dense<[-128, 0, 1, 127]> : tensor<4xi8>}> : () -> tensor<4x!q8>
  %r = stablehlo.uniform_dequantize %x : (tensor<4x!q8>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[-64.5, -0.5, 0.0, 63.0]> : tensor<4xf32>
  return
}
