// pad: 4 constraints
!in = tensor<2x3xi32>
!value = tensor<i32>
!out = tensor<5x9xi32>
func.func @main(%x: !in, %v: !value) -> !out {
  %0 = "stablehlo.pad"(%x, %v) {edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 2, 1>, interior_padding = array<i64: 1, 2>} : (!in, !value) -> !out
  return %0 : !out
}
// C1: !value = tensor<i32> => !value = tensor<i64>
// C1: !out = tensor<5x9xi32> => !out = tensor<5x9xi64>
// C2: edge_padding_low = array<i64: 0, 1> => edge_padding_low = array<i64: 0>
// C2: edge_padding_high = array<i64: 2, 1> => edge_padding_high = array<i64: 2, 1, 0>
// C2: interior_padding = array<i64: 1, 2> => interior_padding = array<i64: 1>
// C2: array<i64: 0, 1> => array<i64: 0> && array<i64: 2, 1> => array<i64: 2> && array<i64: 1, 2> => array<i64: 1>
// C3: interior_padding = array<i64: 1, 2> => interior_padding = array<i64: -1, 2>
// C4: !out = tensor<5x9xi32> => !out = tensor<5x8xi32>
// C4: edge_padding_low = array<i64: 0, 1> => edge_padding_low = array<i64: -6, 1>
// C4: interior_padding = array<i64: 1, 2> => interior_padding = array<i64: 9223372036854775807, 2>
// C4: edge_padding_low = array<i64: 0, 1> => edge_padding_low = array<i64: 0, 4611686018427387904>
