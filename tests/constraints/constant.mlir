// constant: 1 constraint
!out = tensor<2xf32>
func.func @main() -> !out {
  %0 = "stablehlo.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> !out
  return %0 : !out
}
// C1: !out = tensor<2xf32> => !out = tensor<2xf64>
// C1: !out = tensor<2xf32> => !out = tensor<2x1xf32>
