// dynamic_slice: 5 constraints
!i = tensor<i32>
!j = tensor<i32>
!out = tensor<2x2xf32>
func.func @main(%x: tensor<4x4xf32>, %i: !i, %j: !j) -> !out {
  %0 = "stablehlo.dynamic_slice"(%x, %i, %j) {slice_sizes = array<i64: 2, 2>} : (tensor<4x4xf32>, !i, !j) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x2xf32> => !out = tensor<2x2xi32>
// C2: array<i64: 2, 2> => array<i64: 2>
// C2: (%x, %i, %j) => (%x, %i) && (tensor<4x4xf32>, !i, !j) => (tensor<4x4xf32>, !i)
// C3: !j = tensor<i32> => !j = tensor<i64>
// C4: array<i64: 2, 2> => array<i64: 2, 5>
// C4: array<i64: 2, 2> => array<i64: -1, 2>
// C5: !out = tensor<2x2xf32> => !out = tensor<2x3xf32>
