// vector: uniform_dequantize
// ops: uniform_dequantize
// input: s8[2] {10, 10}
// expect: f32[2] {4, 15}
func.func @main(%x0: tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2xf32> {
  %r = stablehlo.uniform_dequantize %x0 : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: uniform_quantize
// ops: uniform_quantize
// input: f32[2] {4, 15}
// expect: s8[2] {10, 10}
func.func @main(%x0: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>> {
  %r = stablehlo.uniform_quantize %x0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
  return %r : tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
}
// -----
// vector: requantize
// ops: uniform_quantize
// class: F
// input: s8[2] {10, 10}
// expect: s8[2] {20, 45}
func.func @main(%x0: tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>> {
  %r = stablehlo.uniform_quantize %x0 : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>
  return %r : tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>
}
// -----
// vector: quantized add
// ops: add
// input: s8[3] {-4, 0, 127}
// input: s8[3] {0, 2, 127}
// expect: s8[3] {0, 6, 127}
func.func @main(%x0: tensor<3x!quant.uniform<i8:f32, 0.5:-4>>, %x1: tensor<3x!quant.uniform<i8:f32, 0.5:-4>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-4>> {
  %r = stablehlo.add %x0, %x1 : tensor<3x!quant.uniform<i8:f32, 0.5:-4>>
  return %r : tensor<3x!quant.uniform<i8:f32, 0.5:-4>>
}
// -----
// vector: quantized dot_general
// ops: dot_general
// input: s8[2,2] {{1, 3}, {5, -1}}
// input: s8[2,2] {{1, 2}, {3, 4}}
// expect: s8[2,2] {{3, 29}, {-5, -3}}
func.func @main(%x0: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %x1: tensor<2x2x!quant.uniform<i8:f32:1, {0.5,2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:-3>> {
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5,2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:-3>>
  return %r : tensor<2x2x!quant.uniform<i8:f32, 0.25:-3>>
}
// -----
// vector: hybrid dot_general
// ops: dot_general
// input: f32[2,2] {{0, 1}, {2, -1}}
// input: s8[2,2] {{1, 2}, {3, 4}}
// expect: f32[2,2] {{1.5, 8}, {-0.5, 0}}
func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x2x!quant.uniform<i8:f32:1, {0.5,2.0}>>) -> tensor<2x2xf32> {
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5,2.0}>>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: quantized is_finite
// ops: is_finite
// class: F
// input: s8[3] {-4, 0, 127}
// expect: pred[3] {1, 1, 1}
func.func @main(%x0: tensor<3x!quant.uniform<i8:f32, 0.5:-4>>) -> tensor<3xi1> {
  %r = stablehlo.is_finite %x0 : (tensor<3x!quant.uniform<i8:f32, 0.5:-4>>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: quantized collective_permute
// ops: collective_permute
// input: s8[3] {1, 2, 3}
// expect: s8[3] {-4, -4, -4}
func.func @main(%x0: tensor<3x!quant.uniform<i8:f32, 0.5:-4>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-4>> {
  %r = "stablehlo.collective_permute"(%x0) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<3x!quant.uniform<i8:f32, 0.5:-4>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-4>>
  return %r : tensor<3x!quant.uniform<i8:f32, 0.5:-4>>
}
