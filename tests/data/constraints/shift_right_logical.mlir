// shift_right_logical: 1 constraint
!lhs = tensor<2x3xi32>
!rhs = tensor<2x3xi32>
!out = tensor<2x3xi32>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = "stablehlo.shift_right_logical"(%x, %y) : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !lhs = tensor<2x3xi32> => !lhs = tensor<2x1xi32>
// C1: !rhs = tensor<2x3xi32> => !rhs = tensor<2x3xi64>
// C1: !rhs = tensor<2x3xi32> => !rhs = tensor<i32>
// C1: !out = tensor<2x3xi32> => !out = tensor<2x3xi64>
// C1: !out = tensor<2x3xi32> => !out = tensor<3x2xi32>
