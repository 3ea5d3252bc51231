// is_finite: 1 constraint
!in = tensor<2x3xf64>
!out = tensor<2x3xi1>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.is_finite"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xi1> => !out = tensor<2x4xi1>
// C1: !in = tensor<2x3xf64> => !in = tensor<3xf64>
