// slice: 5 constraints
!out = tensor<2x2xf32>
func.func @main(%x: tensor<4x5xf32>) -> !out {
  %0 = "stablehlo.slice"(%x) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 4, 5>, strides = array<i64: 2, 2>} : (tensor<4x5xf32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x2xf32> => !out = tensor<2x2xf64>
// C2: start_indices = array<i64: 1, 2> => start_indices = array<i64: 1>
// C2: limit_indices = array<i64: 4, 5> => limit_indices = array<i64: 4>
// C2: strides = array<i64: 2, 2> => strides = array<i64: 2, 2, 2>
// C2: array<i64: 1, 2> => array<i64: 1> && array<i64: 4, 5> => array<i64: 4> && array<i64: 2, 2> => array<i64: 2>
// C3: array<i64: 4, 5> => array<i64: 4, 6>
// C3: array<i64: 1, 2> => array<i64: -1, 2>
// C3: array<i64: 1, 2> => array<i64: 5, 2>
// C4: array<i64: 2, 2> => array<i64: 2, 0>
// C4: array<i64: 2, 2> => array<i64: 2, -1>
// C5: !out = tensor<2x2xf32> => !out = tensor<2x3xf32>
// C5: !out = tensor<2x2xf32> => !out = tensor<2x1xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<0xf32> {
  %0 = stablehlo.slice %x [2:2] : (tensor<4xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
// C3: [2:2] => [3:2]
