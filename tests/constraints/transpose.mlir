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
// C4 quantized: the quantization dimension moves along
