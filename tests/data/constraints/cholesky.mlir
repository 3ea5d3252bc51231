// cholesky: 3 constraints
!in = tensor<2x3x3xf32>
!out = tensor<2x3x3xf32>
func.func @main(%a: !in) -> !out {
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3x3xf32> => !out = tensor<2x3x3xf64>
// C1: !out = tensor<2x3x3xf32> => !out = tensor<3x3xf32>
// C2: !in = tensor<2x3x3xf32> => !in = tensor<3xf32>
// C3: !in = tensor<2x3x3xf32> => !in = tensor<2x3x4xf32>
