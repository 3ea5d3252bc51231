// add: 7 constraints
!lhs = tensor<2x3xf32>
!rhs = tensor<2x3xf32>
!out = tensor<2x3xf32>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = "stablehlo.add"(%x, %y) : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !lhs = tensor<2x3xf32> => !lhs = tensor<2x1xf32>
// C1: !rhs = tensor<2x3xf32> => !rhs = tensor<2x3xf64>
// C1: !rhs = tensor<2x3xf32> => !rhs = tensor<f32>
// C1: !out = tensor<2x3xf32> => !out = tensor<2x3xf64>
// C1: !out = tensor<2x3xf32> => !out = tensor<3x2xf32>
// -----
!lhs = tensor<2x3x!quant.uniform<i8:f32, 0.5>>
!rhs = tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1,0.25,2.0:-3}>>
!out = tensor<2x3x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0}>>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = stablehlo.add %x, %y : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C2: !lhs = tensor<2x3x!quant.uniform<i8:f32, 0.5>> => !lhs = tensor<2x3xf32>
// C2: !rhs = tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1,0.25,2.0:-3}>> => !rhs = tensor<2x3xi8>
// C2: !out = tensor<2x3x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0}>> => !out = tensor<2x3xf32>
// C3: uniform<i8:f32, 0.5> => uniform<i16:f32, 0.5>
// C3: uniform<i8:f32, 0.5> => uniform<u8:f32, 0.5>
// C3: uniform<i8:f32:1, {1.0,1.0:2,1.0}> => uniform<i4:f32:1, {1.0,1.0:2,1.0}>
// C4: uniform<i8:f32, 0.5> => uniform<i8:f16, 0.5>
// C4: uniform<i8:f32:1, {1.0,1.0:2,1.0}> => uniform<i8:f64:1, {1.0,1.0:2,1.0}>
// C5: uniform<i8:f32:1, {1.0,1.0:2,1.0}> => uniform<i8:f32, 1.0>
// C5: uniform<i8:f32:1, {0.5:1,0.25,2.0:-3}> => uniform<i8:f32, 0.5>
// C7: uniform<i8:f32:1, {0.5:1,0.25,2.0:-3}> => uniform<i8:f32:0, {0.5:1,0.25}>
// C6: uniform<i8:f32, 0.5> => uniform<i8:f32:0, {0.5,0.25}>
