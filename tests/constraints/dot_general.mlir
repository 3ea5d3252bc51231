// dot_general: 24 constraints
!lhs = tensor<2x3x4xf32>
!rhs = tensor<2x4x5xf32>
!out = tensor<2x3x5xf32>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = "stablehlo.dot_general"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: rhs_batching_dimensions = [0] => rhs_batching_dimensions = []
// C2: rhs_contracting_dimensions = [1] => rhs_contracting_dimensions = [1, 2]
// C3: lhs_contracting_dimensions = [2] => lhs_contracting_dimensions = [0]
// C4: rhs_contracting_dimensions = [1] => rhs_contracting_dimensions = [0]
// C5: lhs_batching_dimensions = [0] => lhs_batching_dimensions = [3]
// C5: lhs_batching_dimensions = [0] => lhs_batching_dimensions = [-1]
// C6: lhs_contracting_dimensions = [2] => lhs_contracting_dimensions = [3]
// C7: rhs_batching_dimensions = [0] => rhs_batching_dimensions = [3]
// C8: rhs_contracting_dimensions = [1] => rhs_contracting_dimensions = [3]
// C8: rhs_contracting_dimensions = [1] => rhs_contracting_dimensions = [-1]
// C9: !rhs = tensor<2x4x5xf32> => !rhs = tensor<1x4x5xf32>
// C10: !rhs = tensor<2x4x5xf32> => !rhs = tensor<2x3x5xf32>
// C11: [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>] => [#stablehlo<precision HIGHEST>]
// C11: [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>] => [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
// C12: !out = tensor<2x3x5xf32> => !out = tensor<2x5x3xf32>
// C12: !out = tensor<2x3x5xf32> => !out = tensor<2x3x4x5xf32>
// C13: !rhs = tensor<2x4x5xf32> => !rhs = tensor<2x4x5xf16>
// C14 quantized: lhs and result, and rhs, are quantized together
// C15 quantized: zero points of rhs
// C16 quantized: quantization dimension of rhs is not contracted
// C17 quantized: storage types
// C18 quantized: expressed types
// C19 quantized: a per-tensor rhs gives a per-tensor result
// C20 quantized: hybrid products
// -----
func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dot_general"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32,
      accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
      num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// C21: [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>] => [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]
// C22: lhs_component_count = 1 => lhs_component_count = 0
// C23: rhs_component_count = 1 => rhs_component_count = -1
// C24: num_primitive_operations = 1 => num_primitive_operations = 0
