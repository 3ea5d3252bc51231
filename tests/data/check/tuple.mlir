// tuple SI, get_tuple_element SI
func.func @tuple_s32() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %t = stablehlo.tuple %x0, %x1 : tuple<tensor<2xi32>, tensor<1xi32>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tensor<1xi32>>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  return
}

// tuple F, get_tuple_element F: tuple XLA
func.func @tuple_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<10xf32>
  %x1 = stablehlo.constant dense<5> : tensor<i32>
  %t = stablehlo.tuple %x0, %x1 : tuple<tensor<10xf32>, tensor<i32>>
  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %r, dense<5> : tensor<i32>
  return
}

// tuple UI, get_tuple_element UI: tuple types
func.func @tuple_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %t = stablehlo.tuple %x0 : tuple<tensor<2xui8>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xui8>>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui8>
  return
}

// tuple C, get_tuple_element C: tuple types
func.func @tuple_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %t = stablehlo.tuple %x0 : tuple<tensor<2xcomplex<f32>>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xcomplex<f32>>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// tuple B, get_tuple_element B: tuple types
func.func @tuple_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %t = stablehlo.tuple %x0 : tuple<tensor<2xi1>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi1>>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// tuple SI, get_tuple_element SI: tuple types 2
func.func @tuple_s8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %t = stablehlo.tuple %x0, %x0 : tuple<tensor<2xi8>, tensor<2xi8>>
  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi8>, tensor<2xi8>>) -> tensor<2xi8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi8>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// tuple Q
func.func @tuple_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %t = stablehlo.tuple %a, %a : tuple<tensor<3x!q8>, tensor<3x!q8>>
  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<3x!q8>, tensor<3x!q8>>) -> tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 2, 7]> : tensor<3xi8>
  return
}
