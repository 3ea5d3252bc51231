// dynamic_conv B
func.func @dynamic_conv_pred() {
  %lhs = stablehlo.constant dense<[[[[true], [true], [true], [true]], [[true], [true], [true], [true]], [[true], [true], [true], [true]], [[true], [true], [true], [true]]]]> : tensor<1x4x4x1xi1>
  %rhs = stablehlo.constant dense<true> : tensor<3x3x1x1xi1>
  %padding = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xi1>, tensor<3x3x1x1xi1>, tensor<2x2xi64>) -> tensor<1x?x?x1xi1>
  check.expect_eq_const %r, dense<[[[[true], [true]], [[true], [true]]]]> : tensor<1x2x2x1xi1>
  return
}

// dynamic_conv SI
func.func @dynamic_conv_s32() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi32>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi32>
  %padding = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xi32>, tensor<3x3x1x1xi32>, tensor<2x2xi64>) -> tensor<1x?x?x1xi32>
  check.expect_eq_const %r, dense<[[[[1], [5]], [[10], [14]]]]> : tensor<1x2x2x1xi32>
  return
}

// dynamic_conv UI
func.func @dynamic_conv_u16() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xui16>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xui16>
  %padding = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xui16>, tensor<3x3x1x1xui16>, tensor<2x2xi64>) -> tensor<1x?x?x1xui16>
  check.expect_eq_const %r, dense<[[[[1], [5]], [[10], [14]]]]> : tensor<1x2x2x1xui16>
  return
}

// dynamic_conv F
func.func @dynamic_conv_f32() {
  %lhs = stablehlo.constant dense<[[[[1.0], [2.0], [5.0], [6.0]], [[3.0], [4.0], [7.0], [8.0]], [[10.0], [11.0], [14.0], [15.0]], [[12.0], [13.0], [16.0], [17.0]]]]> : tensor<1x4x4x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<3x3x1x1xf32>
  %padding = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  check.expect_eq_const %r, dense<[[[[1.0], [5.0]], [[10.0], [14.0]]]]> : tensor<1x2x2x1xf32>
  return
}

// dynamic_conv C
func.func @dynamic_conv_c64() {
  %lhs = stablehlo.constant dense<[[[[(1.0, -1.0)], [(2.0, -2.0)], [(5.0, -5.0)], [(6.0, -6.0)]], [[(3.0, -3.0)], [(4.0, -4.0)], [(7.0, -7.0)], [(8.0, -8.0)]], [[(10.0, -10.0)], [(11.0, -11.0)], [(14.0, -14.0)], [(15.0, -15.0)]], [[(12.0, -12.0)], [(13.0, -13.0)], [(16.0, -16.0)], [(17.0, -17.0)]]]]> : tensor<1x4x4x1xcomplex<f32>>
  %rhs = stablehlo.constant dense<(1.0, 0.0)> : tensor<3x3x1x1xcomplex<f32>>
  %padding = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x4x4x1xcomplex<f32>>, tensor<3x3x1x1xcomplex<f32>>, tensor<2x2xi64>) -> tensor<1x?x?x1xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[[(1.0, -1.0)], [(5.0, -5.0)]], [[(10.0, -10.0)], [(14.0, -14.0)]]]]> : tensor<1x2x2x1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>
!w8 = !quant.uniform<i8<-127:127>:f32, 0.5>
!acc = !quant.uniform<i32:f32, 0.25>

// dynamic_conv Q
func.func @dynamic_conv_q8() {
  %a_real = stablehlo.constant dense<[[[1.0], [2.0], [-3.0], [4.0]]]> : tensor<1x4x1xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<1x4x1xf32>) -> tensor<1x4x1x!q8>
  %w = stablehlo.constant() <{value = dense<[[[2, 1]], [[-2, 4]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!w8>
  %padding = stablehlo.constant dense<[[0, 0]]> : tensor<1x2xi64>
  %r = "stablehlo.dynamic_conv"(%a, %w, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64,
    feature_group_count = 1 : i64
  } : (tensor<1x4x1x!q8>, tensor<2x1x2x!w8>, tensor<1x2xi64>) -> tensor<1x?x2x!acc>
  check.expect_eq_const %r, dense<[[[-4, 18], [20, -20], [-28, 26]]]> : tensor<1x3x2xi32>
  return
}
