// dynamic_gather: 14 constraints
!operand = tensor<3x4x2xi32>
!indices = tensor<2x3x2xi64>
!sizes = tensor<3xi64>
!out = tensor<2x3x?x2xi32>
func.func @main(%x: !operand, %i: !indices, %s: !sizes) -> !out {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    indices_are_sorted = false} : (!operand, !indices, !sizes) -> !out
  return %0 : !out
}
// C1: collapsed_slice_dims = [0] => collapsed_slice_dims = []
// C1: offset_dims = [2, 3] => offset_dims = [3]
// C2: index_vector_dim = 2 => index_vector_dim = 4
// C2: index_vector_dim = 2 => index_vector_dim = -1
// C3: start_index_map = [1, 0] => start_index_map = [1]
// C4: offset_dims = [2, 3] => offset_dims = [3, 2]
// C4: offset_dims = [2, 3] => offset_dims = [3, 3]
// C5: offset_dims = [2, 3] => offset_dims = [2, 4]
// C6: collapsed_slice_dims = [0] => collapsed_slice_dims = [0, 0] && offset_dims = [2, 3] => offset_dims = [2]
// C6: collapsed_slice_dims = [0] => collapsed_slice_dims = [1, 0] && offset_dims = [2, 3] => offset_dims = [2]
// C7: collapsed_slice_dims = [0] => collapsed_slice_dims = [3]
// C9: start_index_map = [1, 0] => start_index_map = [1, 1]
// C10: start_index_map = [1, 0] => start_index_map = [1, 3]
// C11: !sizes = tensor<3xi64> => !sizes = tensor<2xi64>
// C13: !out = tensor<2x3x?x2xi32> => !out = tensor<2x2x?x2xi32>
// C14: !out = tensor<2x3x?x2xi32> => !out = tensor<2x3x?x2xi64>
// -----
!out = tensor<2x3x2x2xi32>
func.func @main(%x: tensor<3x4x2xi32>, %i: tensor<2x3x2xi64>) -> !out {
  %s = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    indices_are_sorted = false} : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi32>) -> !out
  return %0 : !out
}
// C8: dense<[1, 2, 2]> => dense<[2, 2, 2]>
// C12: dense<[1, 2, 2]> => dense<[1, 2, 3]>
// C12: dense<[1, 2, 2]> => dense<[1, -2, 2]>
// C13: !out = tensor<2x3x2x2xi32> => !out = tensor<2x3x2x1xi32>
