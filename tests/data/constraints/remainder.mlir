// remainder: 1 constraint
!lhs = tensor<2x3xf32>
!rhs = tensor<2x3xf32>
!out = tensor<2x3xf32>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = "stablehlo.remainder"(%x, %y) : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !lhs = tensor<2x3xf32> => !lhs = tensor<2x1xf32>
// C1: !rhs = tensor<2x3xf32> => !rhs = tensor<2x3xf64>
// C1: !rhs = tensor<2x3xf32> => !rhs = tensor<f32>
// C1: !out = tensor<2x3xf32> => !out = tensor<2x3xf64>
// C1: !out = tensor<2x3xf32> => !out = tensor<3x2xf32>
