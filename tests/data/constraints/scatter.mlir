// scatter: 25 constraints
!in = tensor<2x3x4x2xi64>
!indices = tensor<2x2x3x2xi64>
!updates = tensor<2x2x3x2x2xi64>
!acc = tensor<i64>
!out = tensor<2x3x4x2xi64>
func.func @main(%x: !in, %i: !indices, %u: !updates) -> !out {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1],
      index_vector_dim = 3>,
    indices_are_sorted = false, unique_indices = false} : (!in, !indices, !updates) -> !out
  return %0 : !out
}
// C2: inserted_window_dims = [1] => inserted_window_dims = []
// C4: !updates = tensor<2x2x3x2x2xi64> => !updates = tensor<2x2x2x2x2xi64>
// C4: !updates = tensor<2x2x3x2x2xi64> => !updates = tensor<2x2x3x2x3xi64>
// C4: !updates = tensor<2x2x3x2x2xi64> => !updates = tensor<2x2x3x2x2x1xi64>
// C5: (%x, %i, %u) => (%x, %i, %u, %u) && (!in, !indices, !updates) => (!in, !indices, !updates, !updates)
// C6: !updates = tensor<2x2x3x2x2xi64> => !updates = tensor<2x2x3x2x2xi32>
// C7: update_window_dims = [3, 4] => update_window_dims = [4, 3]
// C7: update_window_dims = [3, 4] => update_window_dims = [3, 3]
// C8: update_window_dims = [3, 4] => update_window_dims = [3, 5]
// C8: update_window_dims = [3, 4] => update_window_dims = [-1, 4]
// C9: inserted_window_dims = [1] => inserted_window_dims = [0]
// C11: inserted_window_dims = [1] => inserted_window_dims = [4]
// C11: inserted_window_dims = [1] => inserted_window_dims = [-1]
// C13: input_batching_dims = [0] => input_batching_dims = [4]
// C15: scatter_indices_batching_dims = [1] => scatter_indices_batching_dims = [4]
// C16: scatter_indices_batching_dims = [1] => scatter_indices_batching_dims = [3]
// C17: scatter_indices_batching_dims = [1] => scatter_indices_batching_dims = [0, 1]
// C18: scatter_indices_batching_dims = [1] => scatter_indices_batching_dims = [2]
// C19: scatter_dims_to_operand_dims = [2, 1] => scatter_dims_to_operand_dims = [2]
// C20: scatter_dims_to_operand_dims = [2, 1] => scatter_dims_to_operand_dims = [2, 2]
// C20: scatter_dims_to_operand_dims = [2, 1] => scatter_dims_to_operand_dims = [2, 0]
// C21: scatter_dims_to_operand_dims = [2, 1] => scatter_dims_to_operand_dims = [2, 4]
// C22: index_vector_dim = 3 => index_vector_dim = 5
// C22: index_vector_dim = 3 => index_vector_dim = -1
// C23: !acc = tensor<i64> => !acc = tensor<i32>
// C23: !acc = tensor<i64> => !acc = tensor<f64>
// C23: stablehlo.return %s : !acc => stablehlo.return %s, %s : !acc, !acc
// C24: !out = tensor<2x3x4x2xi64> => !out = tensor<2x3x4x3xi64>
// C25: !out = tensor<2x3x4x2xi64> => !out = tensor<2x3x4x2xi32>
// -----
!x = tensor<3x4xf32>
!y = tensor<3x4xi32>
!u = tensor<5xf32>
!v = tensor<5xi32>
func.func @main(%x: !x, %y: !y, %i: tensor<5x2xi32>, %u: !u, %v: !v) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %c, %b : tensor<f32>, tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (!x, !y, tensor<5x2xi32>, !u, !v) -> (tensor<3x4xf32>, tensor<3x4xi32>)
  return %0#0, %0#1 : tensor<3x4xf32>, tensor<3x4xi32>
}
// C1: !y = tensor<3x4xi32> => !y = tensor<4x3xi32>
// C3: !v = tensor<5xi32> => !v = tensor<6xi32>
// C9: inserted_window_dims = [0, 1] => inserted_window_dims = [1, 1]
// C10: inserted_window_dims = [0, 1] => inserted_window_dims = [1, 0]
// -----
!acc = tensor<f32>
func.func @main(%x: tensor<3x3x4xf32>, %i: tensor<3x3x1xi64>, %u: tensor<3x3xf32>) -> tensor<3x3x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2],
      input_batching_dims = [0, 1], scatter_indices_batching_dims = [1, 0],
      scatter_dims_to_operand_dims = [2], index_vector_dim = 2>} : (tensor<3x3x4xf32>, tensor<3x3x1xi64>, tensor<3x3xf32>) -> tensor<3x3x4xf32>
  return %0 : tensor<3x3x4xf32>
}
// C9: input_batching_dims = [0, 1] => input_batching_dims = [1, 1]
// C12: input_batching_dims = [0, 1] => input_batching_dims = [1, 0]
// C14: scatter_indices_batching_dims = [1, 0] => scatter_indices_batching_dims = [1, 1]
