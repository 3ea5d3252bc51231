// reshape: 3 constraints
!in = tensor<2x3xi32>
!out = tensor<3x2xi32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.reshape"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<3x2xi32> => !out = tensor<3x2xf32>
// C2: !out = tensor<3x2xi32> => !out = tensor<3x3xi32>
// C2: !out = tensor<3x2xi32> => !out = tensor<i32>
// C2: !in = tensor<2x3xi32> => !in = tensor<0xi32>
// C3 quantized: the slices along the quantization dimension
// -----
!out = tensor<2x0xi2>
func.func @main(%x: tensor<0xi2>) -> !out {
  %0 = stablehlo.reshape %x : (tensor<0xi2>) -> !out
  return %0 : !out
}
// C2: !out = tensor<2x0xi2> => !out = tensor<2x1xi2>
// -----
!out = tensor<3xi2>
func.func @main(%x: tensor<1x3xi2>) -> !out {
  %0 = stablehlo.reshape %x : (tensor<1x3xi2>) -> !out
  return %0 : !out
}
// C2: !out = tensor<3xi2> => !out = tensor<4xi2>
