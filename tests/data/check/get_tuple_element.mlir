!q8 = !quant.uniform<i8:f32, 0.5:1>

// get_tuple_element Q
func.func @get_tuple_element_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %t = stablehlo.tuple %a : tuple<tensor<3x!q8>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<3x!q8>>) -> tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 2, 7]> : tensor<3xi8>
  return
}
