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
// C6 quantized: the quantization dimension of a per-axis result
