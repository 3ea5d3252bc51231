// constant: 1 constraint
!out = tensor<2xf32>
func.func @main() -> !out {
  %0 = "stablehlo.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> !out
  return %0 : !out
}
// C1: !out = tensor<2xf32> => !out = tensor<2xf64>
// C1: !out = tensor<2xf32> => !out = tensor<2x1xf32>
// -----
!out = tensor<2x!quant.uniform<i8:f32, 0.5:1>>
func.func @main() -> !out {
  %0 = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> !out
  return %0 : !out
}
// C1: dense<[1, -2]> : tensor<2xi8> => dense<[1, -2]> : tensor<2xi16>
// C1: dense<[1, -2]> : tensor<2xi8> => dense<[1, -2, 3]> : tensor<3xi8>
