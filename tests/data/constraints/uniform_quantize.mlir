// uniform_quantize: 2 constraints
!in = tensor<2x3xf32>
!out = tensor<2x3x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.uniform_quantize %x : (!in) -> !out
  return %0 : !out
}
// C1: !in = tensor<2x3xf32> => !in = tensor<2x2xf32>
// C1: !in = tensor<2x3xf32> => !in = tensor<f32>
// C2: !in = tensor<2x3xf32> => !in = tensor<2x3xf16>
// C2: uniform<i8:f32:0 => uniform<i8:f64:0
// -----
!in = tensor<2x3x!quant.uniform<i16:f32, 0.25:9>>
!out = tensor<2x3x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.uniform_quantize"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !in = tensor<2x3x => !in = tensor<3x2x
// C2: uniform<i16:f32 => uniform<i16:bf16
