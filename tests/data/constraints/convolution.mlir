// convolution: 34 constraints
!lhs = tensor<2x6x7x4xf32>
!rhs = tensor<3x2x4x8xf32>
!out = tensor<2x4x6x8xf32>
func.func @main(%x: !lhs, %k: !rhs) -> !out {
  %0 = "stablehlo.convolution"(%x, %k) {window_strides = array<i64: 1, 1>,
    padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>,
    rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2,
      kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64,
    precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !rhs = tensor<3x2x4x8xf32> => !rhs = tensor<3x2x4x8x1xf32>
// C2: window_strides = array<i64: 1, 1> => window_strides = array<i64: 1>
// C3: window_strides = array<i64: 1, 1> => window_strides = array<i64: 1, 0>
// C4: padding = dense<0> : tensor<2x2xi64> => padding = dense<0> : tensor<1x2xi64>
// C5: lhs_dilation = array<i64: 1, 1> => lhs_dilation = array<i64: 1, 1, 1>
// C6: lhs_dilation = array<i64: 1, 1> => lhs_dilation = array<i64: 0, 1>
// C7: rhs_dilation = array<i64: 1, 1> => rhs_dilation = array<i64: 1>
// C8: rhs_dilation = array<i64: 1, 1> => rhs_dilation = array<i64: 1, -1>
// C9: array<i1: false, true> => array<i1: false>
// C12: input_spatial_dimensions = [1, 2] => input_spatial_dimensions = [1]
// C13: input_spatial_dimensions = [1, 2] => input_spatial_dimensions = [1, 1]
// C13: input_feature_dimension = 3, => input_feature_dimension = 4,
// C13: input_batch_dimension = 0 => input_batch_dimension = 1
// C14: !rhs = tensor<3x2x4x8xf32> => !rhs = tensor<3x2x3x8xf32>
// C17: kernel_spatial_dimensions = [0, 1] => kernel_spatial_dimensions = [0]
// C18: kernel_spatial_dimensions = [0, 1] => kernel_spatial_dimensions = [0, 3]
// C18: kernel_spatial_dimensions = [0, 1] => kernel_spatial_dimensions = [0, 4]
// C18: kernel_output_feature_dimension = 3 => kernel_output_feature_dimension = -1
// C19: output_spatial_dimensions = [1, 2] => output_spatial_dimensions = [1, 2, 3]
// C20: output_spatial_dimensions = [1, 2] => output_spatial_dimensions = [1, 3]
// C20: output_batch_dimension = 0 => output_batch_dimension = 4
// C21: feature_group_count = 1 => feature_group_count = 0
// C22: batch_group_count = 1 => batch_group_count = -1
// C23: feature_group_count = 1 => feature_group_count = 2 && batch_group_count = 1 => batch_group_count = 2 && !rhs = tensor<3x2x4x8xf32> => !rhs = tensor<3x2x2x8xf32>
// C24: [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>] => [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]
// C25: !out = tensor<2x4x6x8xf32> => !out = tensor<2x4x6x4xf32>
// C25: window_strides = array<i64: 1, 1> => window_strides = array<i64: 1, 2305843009213693952>
// C25: !out = tensor<2x4x6x8xf32> => !out = tensor<2x4x5x8xf32>
// C26: !out = tensor<2x4x6x8xf32> => !out = tensor<2x4x48xf32>
// C27: !rhs = tensor<3x2x4x8xf32> => !rhs = tensor<3x2x4x8xf64>
// A result of a wider type than the operands is accepted: JAX writes it (preferred_element_type).
// -----
!lhs = tensor<6x4x9xf32>
!rhs = tensor<6x2x3xf32>
!out = tensor<6x6x7xf32>
func.func @main(%x: !lhs, %k: !rhs) -> !out {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C11: !lhs = tensor<6x4x9xf32> => !lhs = tensor<6x5x9xf32>
// C16: !rhs = tensor<6x2x3xf32> => !rhs = tensor<5x2x3xf32>
// -----
!lhs = tensor<6x4x9xf32>
!rhs = tensor<6x4x3xf32>
!out = tensor<2x6x7xf32>
func.func @main(%x: !lhs, %k: !rhs) -> !out {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C10: !lhs = tensor<6x4x9xf32> => !lhs = tensor<5x4x9xf32>
// C15: !rhs = tensor<6x4x3xf32> => !rhs = tensor<5x4x3xf32>
// -----
!lhs = tensor<2x4x9x!quant.uniform<i8:f32, 0.5:7>>
!rhs = tensor<3x4x2x!quant.uniform<i8:f32:0, {0.5:1,0.25,2.0}>>
!out = tensor<2x3x8x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0}>>
func.func @main(%x: !lhs, %k: !rhs) -> !out {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C25: !out = tensor<2x3x8x => !out = tensor<2x3x9x
// C28: !rhs = tensor<3x4x2x!quant.uniform<i8:f32:0, {0.5:1,0.25,2.0}>> => !rhs = tensor<3x4x2xf32>
// C28: !lhs = tensor<2x4x9x!quant.uniform<i8:f32, 0.5:7>> => !lhs = tensor<2x4x9xf32>
// C28: !out = tensor<2x3x8x!quant.uniform<i8:f32:1, {1.0,1.0:2,1.0}>> => !out = tensor<2x3x8xf32>
// C29: uniform<i8:f32:0, {0.5:1,0.25,2.0}> => uniform<i8:f32:1, {0.5:1,0.25,2.0,1.0}>
// C30: uniform<i8:f32:1, {1.0,1.0:2,1.0}> => uniform<i8:f32:0, {1.0,1.0:2}>
// C31: uniform<i8:f32, 0.5:7> => uniform<u8:f32, 0.5:7>
// C31: uniform<i8:f32, 0.5:7> => uniform<i32:f32, 0.5:7>
// C32: uniform<i8:f32, 0.5:7> => uniform<i8:f16, 0.5:7>
// C32: uniform<i8:f32:1, {1.0,1.0:2,1.0}> => uniform<i8:f64:1, {1.0,1.0:2,1.0}>
// C33: uniform<i8:f32:0, {0.5:1,0.25,2.0}> => uniform<i8:f32, 0.5:1>
// -----
!lhs = tensor<2x4x9xf32>
!rhs = tensor<3x4x2x!quant.uniform<i8:f32:0, {0.5:1,0.25,2.0}>>
!out = tensor<2x3x8xf32>
func.func @main(%x: !lhs, %k: !rhs) -> !out {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C29: uniform<i8:f32:0, {0.5:1,0.25,2.0}> => uniform<i8:f32:2, {0.5:1,0.25}>
// C34: !lhs = tensor<2x4x9xf32> => !lhs = tensor<2x4x9xf64>
// C34: !out = tensor<2x3x8xf32> => !out = tensor<2x3x8xf16>
// C34: uniform<i8:f32:0 => uniform<i8:bf16:0
