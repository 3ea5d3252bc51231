// Quantized types: those of 0.9.0 first, then per axis.
// -----
// 0.9.0
module {
func.func public @main(%x: tensor<2x3xf32>, %q: tensor<2x!quant.uniform<i8<-127:127>:f32, 2.500000e-01>>, %u: tensor<2x!quant.uniform<u8:f32, 3.400000e+01:16>>, %w: tensor<2x!quant.uniform<u4<1:15>:bf16, 5.000000e-01:3>>) -> tensor<2x3xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:-3>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x3x!quant.uniform<i8:f32, 2.000000e+00:-3>>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
}
// -----
// 0.18.0
module {
func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {2.000000e+00:-3,1.000000e+00,5.000000e-01:7}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x3x!quant.uniform<i8:f32:1, {2.000000e+00:-3,1.000000e+00,5.000000e-01:7}>>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
}
