// convolution SI
func.func @convolution_s64() {
  %x0 = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %x1 = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %r, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  return
}

// convolution SI
func.func @convolution_s8() {
  %x0 = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi8>
  %x1 = stablehlo.constant dense<1> : tensor<3x3x1x1xi8>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi8>, tensor<3x3x1x1xi8>) -> tensor<1x2x2x1xi8>
  check.expect_eq_const %r, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi8>
  return
}

// convolution UI
func.func @convolution_u32() {
  %x0 = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xui32>
  %x1 = stablehlo.constant dense<1> : tensor<3x3x1x1xui32>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xui32>, tensor<3x3x1x1xui32>) -> tensor<1x2x2x1xui32>
  check.expect_eq_const %r, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xui32>
  return
}

// convolution F
func.func @convolution_f32() {
  %x0 = stablehlo.constant dense<[[[[1.0], [2.0], [5.0], [6.0]], [[3.0], [4.0], [7.0], [8.0]], [[10.0], [11.0], [14.0], [15.0]], [[12.0], [13.0], [16.0], [17.0]]]]> : tensor<1x4x4x1xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<3x3x1x1xf32>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %r, dense<[[[[10.0], [26.0]], [[46.0], [62.0]]]]> : tensor<1x2x2x1xf32>
  return
}

// convolution F
func.func @convolution_f64() {
  %x0 = stablehlo.constant dense<[[[[1.0], [2.0], [5.0], [6.0]], [[3.0], [4.0], [7.0], [8.0]], [[10.0], [11.0], [14.0], [15.0]], [[12.0], [13.0], [16.0], [17.0]]]]> : tensor<1x4x4x1xf64>
  %x1 = stablehlo.constant dense<1.0> : tensor<3x3x1x1xf64>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf64>, tensor<3x3x1x1xf64>) -> tensor<1x2x2x1xf64>
  check.expect_eq_const %r, dense<[[[[10.0], [26.0]], [[46.0], [62.0]]]]> : tensor<1x2x2x1xf64>
  return
}

// convolution F
func.func @convolution_bf16() {
  %x0 = stablehlo.constant dense<[[[[1.0], [2.0], [5.0], [6.0]], [[3.0], [4.0], [7.0], [8.0]], [[10.0], [11.0], [14.0], [15.0]], [[12.0], [13.0], [16.0], [17.0]]]]> : tensor<1x4x4x1xbf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<3x3x1x1xbf16>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xbf16>, tensor<3x3x1x1xbf16>) -> tensor<1x2x2x1xbf16>
  check.expect_eq_const %r, dense<[[[[10.0], [26.0]], [[46.0], [62.0]]]]> : tensor<1x2x2x1xbf16>
  return
}

// convolution C
func.func @convolution_c64() {
  %x0 = stablehlo.constant dense<[[[[(1.0, 0.0)], [(2.0, 0.0)], [(5.0, 0.0)], [(6.0, 0.0)]], [[(3.0, 0.0)], [(4.0, 0.0)], [(7.0, 0.0)], [(8.0, 0.0)]], [[(10.0, 0.0)], [(11.0, 0.0)], [(14.0, 0.0)], [(15.0, 0.0)]], [[(12.0, 0.0)], [(13.0, 0.0)], [(16.0, 0.0)], [(17.0, 0.0)]]]]> : tensor<1x4x4x1xcomplex<f32>>
  %x1 = stablehlo.constant dense<(1.0, 0.0)> : tensor<3x3x1x1xcomplex<f32>>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xcomplex<f32>>, tensor<3x3x1x1xcomplex<f32>>) -> tensor<1x2x2x1xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[[(10.0, 0.0)], [(26.0, 0.0)]], [[(46.0, 0.0)], [(62.0, 0.0)]]]]> : tensor<1x2x2x1xcomplex<f32>>
  return
}

// convolution F: convolution padding
func.func @convolution_f32_2() {
  %x0 = stablehlo.constant dense<[[[[1.0], [2.0], [5.0], [6.0]], [[3.0], [4.0], [7.0], [8.0]], [[10.0], [11.0], [14.0], [15.0]], [[12.0], [13.0], [16.0], [17.0]]]]> : tensor<1x4x4x1xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<3x3x1x1xf32>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %r, dense<[[[[1.0], [5.0]], [[10.0], [14.0]]]]> : tensor<1x2x2x1xf32>
  return
}

// convolution B: convolution i1
func.func @convolution_pred() {
  %x0 = stablehlo.constant dense<[[[true, false]]]> : tensor<1x1x2xi1>
  %x1 = stablehlo.constant dense<[[[true]]]> : tensor<1x1x1xi1>
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x2xi1>, tensor<1x1x1xi1>) -> tensor<1x1x2xi1>
  check.expect_eq_const %r, dense<[[[true, false]]]> : tensor<1x1x2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>
!w8 = !quant.uniform<i8<-127:127>:f32, 0.5>
!acc = !quant.uniform<i32:f32, 0.25>

// convolution Q
func.func @convolution_q8() {
  %a_real = stablehlo.constant dense<[[[1.0], [2.0], [-3.0], [4.0]]]> : tensor<1x4x1xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<1x4x1xf32>) -> tensor<1x4x1x!q8>
  %w = stablehlo.constant() <{value = dense<[[[2, 1]], [[-2, 4]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!w8>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1x!q8>, tensor<2x1x2x!w8>) -> tensor<1x3x2x!acc>
  check.expect_eq_const %r, dense<[[[-4, 18], [20, -20], [-28, 26]]]> : tensor<1x3x2xi32>
  return
}

// convolution Q: float by quantized
func.func @convolution_hybrid() {
  %a = stablehlo.constant dense<[[[1.0], [2.0], [-3.0], [4.0]]]> : tensor<1x4x1xf32>
  %w = stablehlo.constant() <{value = dense<[[[2, 1]], [[-2, 4]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!w8>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x2x!w8>) -> tensor<1x3x2xf32>
  check.expect_eq_const %r, dense<[[[-1.0, 4.5], [5.0, -5.0], [-7.0, 6.5]]]> : tensor<1x3x2xf32>
  return
}

// convolution F: factors of two f8 types
func.func @convolution_two_f8_types() {
  %a = stablehlo.constant dense<[[[1.5], [-2.0], [0.125], [448.0]]]> : tensor<1x4x1xf8E4M3FN>
  %w = stablehlo.constant dense<[[[4.0, 57344.0]], [[0.25, -1.0]]]> : tensor<2x1x2xf8E5M2>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf8E4M3FN>, tensor<2x1x2xf8E5M2>) -> tensor<1x3x2xf32>
  check.expect_eq_const %r, dense<[[[5.5, 86018.0], [-7.96875, -114688.125], [112.5, 6720.0]]]> : tensor<1x3x2xf32>
  return
}

// convolution F: f8E8M0FNU has no zero, but is padded with zeros
func.func @convolution_e8m0_padded() {
  %a = stablehlo.constant dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf8E8M0FNU>
  %w = stablehlo.constant dense<[[[0xFE]], [[0xFE]]]> : tensor<2x1x1xf8E8M0FNU>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} : (tensor<1x2x1xf8E8M0FNU>, tensor<2x1x1xf8E8M0FNU>) -> tensor<1x5x1xf32>
  check.expect_eq_const %r, dense<[[[0.0], [0x7E800000], [0x7EC00000], [0x7E000000], [0.0]]]> : tensor<1x5x1xf32>
  return
}

// convolution F: f8E8M0FNU, zeros between the elements
func.func @convolution_e8m0_dilated() {
  %a = stablehlo.constant dense<[[[0.5], [0.25], [0.5]]]> : tensor<1x3x1xf8E8M0FNU>
  %w = stablehlo.constant dense<[[[0xFE]]]> : tensor<1x1x1xf8E8M0FNU>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} : (tensor<1x3x1xf8E8M0FNU>, tensor<1x1x1xf8E8M0FNU>) -> tensor<1x5x1xf32>
  check.expect_eq_const %r, dense<[[[0x7E800000], [0.0], [0x7E000000], [0.0], [0x7E800000]]]> : tensor<1x5x1xf32>
  return
}

// convolution F: f8E8M0FNU, several features
func.func @convolution_e8m0_features() {
  %a = stablehlo.constant dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf8E8M0FNU>
  %w = stablehlo.constant dense<0xFE> : tensor<2x1x4xf8E8M0FNU>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} : (tensor<1x2x1xf8E8M0FNU>, tensor<2x1x4xf8E8M0FNU>) -> tensor<1x5x4xf32>
  check.expect_eq_const %r, dense<[[[0.0, 0.0, 0.0, 0.0], [0x7E800000, 0x7E800000, 0x7E800000, 0x7E800000], [0x7EC00000, 0x7EC00000, 0x7EC00000, 0x7EC00000], [0x7E000000, 0x7E000000, 0x7E000000, 0x7E000000], [0.0, 0.0, 0.0, 0.0]]]> : tensor<1x5x4xf32>
  return
}

// convolution F: f8E8M0FNU, an image whose rows are fastest
func.func @convolution_e8m0_rows() {
  %a = stablehlo.constant dense<[[[0.5, 0.25]]]> : tensor<1x1x2xf8E8M0FNU>
  %w = stablehlo.constant dense<0xFE> : tensor<4x1x2xf8E8M0FNU>
  %r = stablehlo.convolution(%a, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 2]]} : (tensor<1x1x2xf8E8M0FNU>, tensor<4x1x2xf8E8M0FNU>) -> tensor<1x4x5xf32>
  check.expect_eq_const %r, dense<[[[0.0, 0x7E800000, 0x7EC00000, 0x7E000000, 0.0], [0.0, 0x7E800000, 0x7EC00000, 0x7E000000, 0.0], [0.0, 0x7E800000, 0x7EC00000, 0x7E000000, 0.0], [0.0, 0x7E800000, 0x7EC00000, 0x7E000000, 0.0]]]> : tensor<1x4x5xf32>
  return
}

// convolution F: many terms with zeros between the elements, and the same with elements of zero
func.func @convolution_phases() {
  %i = stablehlo.iota dim = 1 : tensor<1x13x12x8xi32>
  %j = stablehlo.iota dim = 2 : tensor<1x13x12x8xi32>
  %k = stablehlo.iota dim = 3 : tensor<1x13x12x8xi32>
  %ij = stablehlo.multiply %i, %j : tensor<1x13x12x8xi32>
  %ijk = stablehlo.add %ij, %k : tensor<1x13x12x8xi32>
  %seven = stablehlo.constant dense<7> : tensor<1x13x12x8xi32>
  %rest = stablehlo.remainder %ijk, %seven : tensor<1x13x12x8xi32>
  %x = stablehlo.convert %rest : (tensor<1x13x12x8xi32>) -> tensor<1x13x12x8xf32>
  %a = stablehlo.iota dim = 0 : tensor<5x4x8x32xi32>
  %b = stablehlo.iota dim = 1 : tensor<5x4x8x32xi32>
  %c = stablehlo.iota dim = 3 : tensor<5x4x8x32xi32>
  %ab = stablehlo.multiply %a, %c : tensor<5x4x8x32xi32>
  %abc = stablehlo.add %ab, %b : tensor<5x4x8x32xi32>
  %five = stablehlo.constant dense<5> : tensor<5x4x8x32xi32>
  %weights = stablehlo.remainder %abc, %five : tensor<5x4x8x32xi32>
  %w = stablehlo.convert %weights : (tensor<5x4x8x32xi32>) -> tensor<5x4x8x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 2, 0] : (tensor<1x13x12x8xf32>, tensor<f32>) -> tensor<1x25x34x8xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x13x12x8xf32>, tensor<5x4x8x32xf32>) -> tensor<1x25x35x32xf32>
  %s = stablehlo.convolution(%d, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x25x34x8xf32>, tensor<5x4x8x32xf32>) -> tensor<1x25x35x32xf32>
  check.expect_eq %r, %s : tensor<1x25x35x32xf32>
  return
}
