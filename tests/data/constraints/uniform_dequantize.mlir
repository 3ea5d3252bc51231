// uniform_dequantize: 2 constraints
!in = tensor<2x3x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
!out = tensor<2x3xf32>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.uniform_dequantize %x : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xf32> => !out = tensor<2x2xf32>
// C1: !out = tensor<2x3xf32> => !out = tensor<6xf32>
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3xf64>
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3xi8>
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
