// convert: 1 constraint
!in = tensor<2x3xf32>
!out = tensor<2x3xi32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.convert"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xi32> => !out = tensor<2x4xi32>
// C1: !in = tensor<2x3xf32> => !in = tensor<6xf32>
