// gather: 23 constraints
!operand = tensor<2x3x4x2xi32>
!indices = tensor<2x2x3x2xi64>
!out = tensor<2x2x3x2x2xi32>
func.func @main(%x: !operand, %i: !indices) -> !out {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<
      offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (!operand, !indices) -> !out
  return %0 : !out
}
// C1: collapsed_slice_dims = [1] => collapsed_slice_dims = []
// C1: offset_dims = [3, 4] => offset_dims = [4]
// C2: index_vector_dim = 3 => index_vector_dim = 5
// C2: index_vector_dim = 3 => index_vector_dim = -1
// C3: start_index_map = [2, 1] => start_index_map = [2]
// C4: offset_dims = [3, 4] => offset_dims = [4, 3]
// C4: offset_dims = [3, 4] => offset_dims = [4, 4]
// C5: offset_dims = [3, 4] => offset_dims = [3, 5]
// C5: offset_dims = [3, 4] => offset_dims = [-1, 4]
// C6: collapsed_slice_dims = [1] => collapsed_slice_dims = [0]
// C8: collapsed_slice_dims = [1] => collapsed_slice_dims = [4]
// C8: collapsed_slice_dims = [1] => collapsed_slice_dims = [-1]
// C9: array<i64: 1, 1, 2, 2> => array<i64: 1, 2, 2, 2>
// C11: operand_batching_dims = [0] => operand_batching_dims = [4]
// C11: operand_batching_dims = [0] => operand_batching_dims = [-1]
// C12: array<i64: 1, 1, 2, 2> => array<i64: 2, 1, 2, 2>
// C14: start_indices_batching_dims = [1] => start_indices_batching_dims = [4]
// C15: start_indices_batching_dims = [1] => start_indices_batching_dims = [3]
// C16: start_indices_batching_dims = [1] => start_indices_batching_dims = [0, 1]
// C17: start_indices_batching_dims = [1] => start_indices_batching_dims = [2]
// C18: start_index_map = [2, 1] => start_index_map = [2, 2]
// C18: start_index_map = [2, 1] => start_index_map = [2, 0]
// C19: start_index_map = [2, 1] => start_index_map = [2, 4]
// C20: array<i64: 1, 1, 2, 2> => array<i64: 1, 1, 2>
// C21: array<i64: 1, 1, 2, 2> => array<i64: 1, 1, 5, 2>
// C21: array<i64: 1, 1, 2, 2> => array<i64: 1, 1, -1, 2>
// C22: !out = tensor<2x2x3x2x2xi32> => !out = tensor<2x2x3x2x3xi32>
// C22: !out = tensor<2x2x3x2x2xi32> => !out = tensor<2x2x2x2x2xi32>
// C23: !out = tensor<2x2x3x2x2xi32> => !out = tensor<2x2x3x2x2xi64>
// -----
!operand = tensor<3x4xi32>
!indices = tensor<5x2xi64>
!out = tensor<5xi32>
func.func @main(%x: !operand, %i: !indices) -> !out {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>} : (!operand, !indices) -> !out
  return %0 : !out
}
// C6: collapsed_slice_dims = [0, 1] => collapsed_slice_dims = [1, 1]
// C7: collapsed_slice_dims = [0, 1] => collapsed_slice_dims = [1, 0]
// -----
!operand = tensor<3x3x4xi32>
!indices = tensor<3x3x1xi64>
!out = tensor<3x3xi32>
func.func @main(%x: !operand, %i: !indices) -> !out {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [2], operand_batching_dims = [0, 1],
      start_indices_batching_dims = [1, 0], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 1>} : (!operand, !indices) -> !out
  return %0 : !out
}
// C6: operand_batching_dims = [0, 1] => operand_batching_dims = [1, 1]
// C10: operand_batching_dims = [0, 1] => operand_batching_dims = [1, 0]
// C13: start_indices_batching_dims = [1, 0] => start_indices_batching_dims = [1, 1]
