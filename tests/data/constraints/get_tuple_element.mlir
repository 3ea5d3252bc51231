// get_tuple_element: 2 constraints
!out = tensor<2xi32>
func.func @main(%t: tuple<tensor<f32>, tensor<2xi32>>) -> !out {
  %0 = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<f32>, tensor<2xi32>>) -> !out
  return %0 : !out
}
// C1: index = 1 => index = 2
// C1: index = 1 => index = -1
// C2: !out = tensor<2xi32> => !out = tensor<2xi64>
// C2: !out = tensor<2xi32> => !out = tensor<f32>
