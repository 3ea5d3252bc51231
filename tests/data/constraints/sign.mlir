// sign: 1 constraint
!in = tensor<2x3xbf16>
!out = tensor<2x3xbf16>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.sign"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xbf16> => !out = tensor<2x4xbf16>
// C1: !out = tensor<2x3xbf16> => !out = tensor<2x3xf16>
// C1: !in = tensor<2x3xbf16> => !in = tensor<2xbf16>
