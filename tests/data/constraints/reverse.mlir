// reverse: 3 constraints
!out = tensor<3x2xi32>
func.func @main(%x: tensor<3x2xi32>) -> !out {
  %0 = "stablehlo.reverse"(%x) {dimensions = array<i64: 1, 0>} : (tensor<3x2xi32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<3x2xi32> => !out = tensor<2x3xi32>
// C1: !out = tensor<3x2xi32> => !out = tensor<3x2xui32>
// C2: array<i64: 1, 0> => array<i64: 1, 1>
// C3: array<i64: 1, 0> => array<i64: 1, 2>
// C3: array<i64: 1, 0> => array<i64: 1, -1>
