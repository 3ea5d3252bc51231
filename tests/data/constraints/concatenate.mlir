// concatenate: 6 constraints
!a = tensor<3x2xi64>
!b = tensor<1x2xi64>
!out = tensor<4x2xi64>
func.func @main(%x: !a, %y: !b) -> !out {
  %0 = "stablehlo.concatenate"(%x, %y) {dimension = 0 : i64} : (!a, !b) -> !out
  return %0 : !out
}
// C1: !b = tensor<1x2xi64> => !b = tensor<1x2xi32>
// C2: !b = tensor<1x2xi64> => !b = tensor<1x3xi64>
// C2: !b = tensor<1x2xi64> => !b = tensor<2xi64>
// C3: (%x, %y) => () && (!a, !b) -> => () ->
// C4: dimension = 0 => dimension = 2
// C4: dimension = 0 => dimension = -1
// C5: !out = tensor<4x2xi64> => !out = tensor<4x2xui64>
// C6: !out = tensor<4x2xi64> => !out = tensor<5x2xi64>
// C6: !out = tensor<4x2xi64> => !out = tensor<4x3xi64>
// -----
func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<2xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// C4: tensor<1xf32> => tensor<f32>
