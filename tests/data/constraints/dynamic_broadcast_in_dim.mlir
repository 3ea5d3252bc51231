// dynamic_broadcast_in_dim: 10 constraints
!in = tensor<1x3xi32>
!shape = tensor<3xi64>
!out = tensor<2x3x2xi32>
func.func @main(%x: !in, %s: !shape) -> !out {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) {broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (!in, !shape) -> !out
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
// C7: !shape = tensor<3xi64> => !shape = tensor<2xi64>
// C8: known_expanding_dimensions = array<i64: 0> => known_expanding_dimensions = array<i64: 1>
// C8: known_expanding_dimensions = array<i64: 0> => known_expanding_dimensions = array<i64: 0, 0>
// C9: known_expanding_dimensions = array<i64: 0> => known_expanding_dimensions = array<i64: 2>
// C9: known_expanding_dimensions = array<i64: 0> => known_expanding_dimensions = array<i64: -1>
// C10: known_nonexpanding_dimensions = array<i64: 1> => known_nonexpanding_dimensions = array<i64: 2>
// -----
!in = tensor<?x3xi32>
!out = tensor<?x?x2xi32>
func.func @main(%x: !in, %s: tensor<3xi32>) -> !out {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (!in, tensor<3xi32>) -> !out
  return %0 : !out
}
// C3: dims = [0, 1] => dims = [0, 3]
// C5: dims = [0, 1] => dims = [0, 2]
// -----
!in = tensor<1x3x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
!out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
func.func @main(%x: !in, %s: tensor<3xi32>) -> !out {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : (!in, tensor<3xi32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<4x3x2x!quant.uniform<i8:f32:1 => !out = tensor<4x3x2x!quant.uniform<u8:f32:1
// C6: !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<3x3x2x!quant.uniform<i8:f32:0, {0.5,1.0:3,2.0}>>
// C6: !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<4x3x2x!quant.uniform<i8:f32:1, {0.5,1.0:4,2.0}>>
