// tuple: 1 constraint
!out = tuple<tensor<f32>, tensor<2xi32>>
func.func @main(%x: tensor<f32>, %y: tensor<2xi32>) -> !out {
  %0 = "stablehlo.tuple"(%x, %y) : (tensor<f32>, tensor<2xi32>) -> !out
  return %0 : !out
}
// C1: !out = tuple<tensor<f32>, tensor<2xi32>> => !out = tuple<tensor<f32>, tensor<3xi32>>
// C1: !out = tuple<tensor<f32>, tensor<2xi32>> => !out = tuple<tensor<f32>>
