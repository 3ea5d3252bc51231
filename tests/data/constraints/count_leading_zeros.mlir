// count_leading_zeros: 1 constraint
!in = tensor<2x3xui16>
!out = tensor<2x3xui16>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.count_leading_zeros"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xui16> => !out = tensor<2x4xui16>
// C1: !out = tensor<2x3xui16> => !out = tensor<2x3xi16>
// C1: !in = tensor<2x3xui16> => !in = tensor<6xui16>
