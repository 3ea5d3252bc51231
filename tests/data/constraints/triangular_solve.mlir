// triangular_solve: 4 constraints
!a = tensor<2x3x3xf32>
!b = tensor<2x3x5xf32>
!out = tensor<2x3x5xf32>
func.func @main(%a: !a, %b: !b) -> !out {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (!a, !b) -> !out
  return %0 : !out
}
// C1: !b = tensor<2x3x5xf32> => !b = tensor<2x3x5xf64>
// C2: !b = tensor<2x3x5xf32> => !b = tensor<3x5xf32>
// C2: !a = tensor<2x3x3xf32> => !a = tensor<3xf32> && !b = tensor<2x3x5xf32> => !b = tensor<3xf32>
// C3: !a = tensor<2x3x3xf32> => !a = tensor<1x3x3xf32>
// C3: !a = tensor<2x3x3xf32> => !a = tensor<2x3x4xf32>
// C3: !b = tensor<2x3x5xf32> => !b = tensor<2x5x3xf32>
// C3: left_side = true => left_side = false
// C4: !out = tensor<2x3x5xf32> => !out = tensor<2x3x4xf32>
// C4: !out = tensor<2x3x5xf32> => !out = tensor<2x3x5xf16>
