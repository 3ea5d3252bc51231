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
// -----
!in = tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
!out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.reshape %x : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x2x2xi8>
// C1: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,4.0}>>
// C1: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x2x2x!quant.uniform<i8:f32, 0.5>>
// C3: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1 => !out = tensor<4x2x3x!quant.uniform<i8:f32:2
// C3: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1 => !out = tensor<3x2x2x2x!quant.uniform<i8:f32:0
