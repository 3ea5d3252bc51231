// transpose: 4 constraints
!in = tensor<2x3x4xi32>
!out = tensor<4x3x2xi32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.transpose"(%x) {permutation = array<i64: 2, 1, 0>} : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<4x3x2xi32> => !out = tensor<4x3x2xi16>
// C2: array<i64: 2, 1, 0> => array<i64: 2, 1>
// C2: array<i64: 2, 1, 0> => array<i64: 2, 1, 1>
// C2: array<i64: 2, 1, 0> => array<i64: 3, 1, 0>
// C2: array<i64: 2, 1, 0> => array<i64: 2, 1, -1>
// C3: !out = tensor<4x3x2xi32> => !out = tensor<2x3x4xi32>
// C3: array<i64: 2, 1, 0> => array<i64: 1, 2, 0>
// -----
!in = tensor<3x2x3x!quant.uniform<i8:f32:0, {0.5,1.0:3,2.0}>>
!out = tensor<2x3x3x!quant.uniform<i8:f32:2, {0.5,1.0:3,2.0}>>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3x3x!quant.uniform<i8:f32:2, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x3x!quant.uniform<i8:f32:2, {0.5,1.0:4,2.0}>>
// C1: !out = tensor<2x3x3x!quant.uniform<i8:f32:2, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x3x!quant.uniform<i8:f32, 0.5>>
// C4: uniform<i8:f32:2, {0.5,1.0:3,2.0}> => uniform<i8:f32:1, {0.5,1.0:3,2.0}>
