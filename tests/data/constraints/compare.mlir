// compare: 3 constraints
!lhs = tensor<3xf32>
!rhs = tensor<3xf32>
!out = tensor<3xi1>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !rhs = tensor<3xf32> => !rhs = tensor<3xf64>
// C2: !rhs = tensor<3xf32> => !rhs = tensor<f32>
// C2: !out = tensor<3xi1> => !out = tensor<1x3xi1>
// C3: TOTALORDER => SIGNED
// C3: TOTALORDER => UNSIGNED
// C3: tensor<3xf32> => tensor<3xi32>
// C3: tensor<3xf32> => tensor<3xcomplex<f32>>
// -----
func.func @main(%x: tensor<2xui8>) -> tensor<2xi1> {
  %0 = stablehlo.compare EQ, %x, %x, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// C3: UNSIGNED => SIGNED
// C3: UNSIGNED => FLOAT
// -----
func.func @main(%x: tensor<2xi1>) -> tensor<2xi1> {
  %0 = stablehlo.compare EQ, %x, %x, UNSIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// C3: UNSIGNED => SIGNED
