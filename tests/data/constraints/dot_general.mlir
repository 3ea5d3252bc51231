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
// C11: [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>] => [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]
// C11: [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>] => [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
// C12: !out = tensor<2x3x5xf32> => !out = tensor<2x5x3xf32>
// C12: !out = tensor<2x3x5xf32> => !out = tensor<2x3x4x5xf32>
// C13: !rhs = tensor<2x4x5xf32> => !rhs = tensor<2x4x5xf16>
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
// -----
!lhs = tensor<3x4x!quant.uniform<i8:f32, 0.5:7>>
!rhs = tensor<4x5x!quant.uniform<i8:f32:1, {0.5,0.25,2.0,1.0,1.0}>>
!out = tensor<3x5x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0,2.0,4.0}>>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C12: !out = tensor<3x5x => !out = tensor<5x5x
// C14: !rhs = tensor<4x5x!quant.uniform<i8:f32:1, {0.5,0.25,2.0,1.0,1.0}>> => !rhs = tensor<4x5xf32>
// C14: !lhs = tensor<3x4x!quant.uniform<i8:f32, 0.5:7>> => !lhs = tensor<3x4xf32>
// C14: !out = tensor<3x5x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0,2.0,4.0}>> => !out = tensor<3x5xf32>
// C15: {0.5,0.25,2.0,1.0,1.0} => {0.5,0.25,2.0:1,1.0,1.0}
// C16: uniform<i8:f32:1, {0.5,0.25,2.0,1.0,1.0}> => uniform<i8:f32:0, {0.5,0.25,2.0,1.0}>
// C17: uniform<i8:f32, 0.5:7> => uniform<u8:f32, 0.5:7>
// C17: uniform<i8:f32, 0.5:7> => uniform<i4:f32, 0.5:7>
// C18: uniform<i8:f32, 0.5:7> => uniform<i8:f16, 0.5:7>
// C18: uniform<i8:f32:1, {1.0,1.0:2,1.0,2.0,4.0}> => uniform<i8:f64:1, {1.0,1.0:2,1.0,2.0,4.0}>
// C19: uniform<i8:f32:1, {0.5,0.25,2.0,1.0,1.0}> => uniform<i8:f32, 0.5>
// -----
!lhs = tensor<3x4xf32>
!rhs = tensor<4x5x!quant.uniform<i8:f32:1, {0.5,0.25,2.0,1.0,1.0}>>
!out = tensor<3x5xf32>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C15: {0.5,0.25,2.0,1.0,1.0} => {0.5,0.25,2.0:1,1.0,1.0}
// C20: !lhs = tensor<3x4xf32> => !lhs = tensor<3x4xf64>
// C20: !lhs = tensor<3x4xf32> => !lhs = tensor<3x4xi8>
// C20: !out = tensor<3x5xf32> => !out = tensor<3x5xf16>
// C20: uniform<i8:f32:1 => uniform<i8:bf16:1
