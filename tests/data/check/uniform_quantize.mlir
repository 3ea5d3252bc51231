!per_axis = !quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>
!other_axis = !quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>

// uniform_quantize F, uniform_quantize Q: the specification's, and the same requantized
func.func @uniform_quantize_spec() {
  %x = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %r = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!per_axis>
  check.expect_eq_const %r, dense<[10, 10]> : tensor<2xi8>
  %again = stablehlo.uniform_quantize %r : (tensor<2x!per_axis>) -> tensor<2x!other_axis>
  check.expect_eq_const %again, dense<[20, 45]> : tensor<2xi8>
  return
}
