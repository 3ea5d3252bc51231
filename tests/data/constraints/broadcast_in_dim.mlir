// broadcast_in_dim: 6 constraints
!in = tensor<1x3xi32>
!out = tensor<2x3x2xi32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = array<i64: 2, 1>} : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3x2xi32> => !out = tensor<2x3x2xi64>
// C2: array<i64: 2, 1> => array<i64: 2>
// C2: array<i64: 2, 1> => array<i64: 2, 1, 0>
// C3: array<i64: 2, 1> => array<i64: 3, 1>
// C3: array<i64: 2, 1> => array<i64: -1, 1>
// C4: array<i64: 2, 1> => array<i64: 1, 1>
// C5: !in = tensor<1x3xi32> => !in = tensor<1x2xi32>
// C5: !out = tensor<2x3x2xi32> => !out = tensor<2x1x2xi32>
// -----
!in = tensor<1x3x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
!out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 1] : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<4x3x2x!quant.uniform<i8:f32, 0.5>>
// C1: !out = tensor<4x3x2x!quant.uniform<i8:f32:1 => !out = tensor<4x3x2x!quant.uniform<u8:f32:1
// C6: !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<3x3x2x!quant.uniform<i8:f32:0, {0.5,1.0:3,2.0}>>
// C6: !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:4,2.0}>>
// -----
!in = tensor<1x3x!quant.uniform<i8:f32:0, {0.5:3}>>
!out = tensor<2x3x!quant.uniform<i8:f32:0, {0.5:3,0.5:3}>>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (!in) -> !out
  return %0 : !out
}
// C6: {0.5:3,0.5:3} => {0.5:3,0.25:3}
// C6: {0.5:3,0.5:3} => {0.5:3,0.5:2}
