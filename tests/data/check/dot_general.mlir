// dot_general SI
func.func @dot_general_s64() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %x1 = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}

// dot_general SI
func.func @dot_general_s8() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %x1 = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi8>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi8>, tensor<2x2x2xi8>) -> tensor<2x2x2xi8>
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  return
}

// dot_general UI
func.func @dot_general_u32() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xui32>
  %x1 = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xui32>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xui32>, tensor<2x2x2xui32>) -> tensor<2x2x2xui32>
  check.expect_eq_const %r, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xui32>
  return
}

// dot_general F
func.func @dot_general_f32() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %x1 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %r, dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  return
}

// dot_general F
func.func @dot_general_f64() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf64>
  %x1 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf64>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xf64>, tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  check.expect_eq_const %r, dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf64>
  return
}

// dot_general F
func.func @dot_general_bf16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xbf16>
  %x1 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xbf16>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xbf16>, tensor<2x2x2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_eq_const %r, dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xbf16>
  return
}

// dot_general F
func.func @dot_general_f16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf16>
  %x1 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf16>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xf16>, tensor<2x2x2xf16>) -> tensor<2x2x2xf16>
  check.expect_eq_const %r, dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf16>
  return
}

// dot_general C
func.func @dot_general_c64() {
  %x0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]], [[(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[[(1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]], [[(1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xcomplex<f32>>, tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]], [[(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]]> : tensor<2x2x2xcomplex<f32>>
  return
}

// dot_general B: dot_general i1
func.func @dot_general_pred() {
  %x0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// dot_general F: dot_general XLA
func.func @dot_general_f32_2() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %x1 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[6.0, 12.0], [15.0, 30.0]]> : tensor<2x2xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>
!w8 = !quant.uniform<i8<-127:127>:f32, 0.5>
!acc = !quant.uniform<i32:f32, 0.25>
!columns = !quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25, 0.125}>
!acc_columns = !quant.uniform<i32:f32:1, {0.25, 0.125, 0.0625}>

// dot_general Q
func.func @dot_general_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %w = stablehlo.constant() <{value = dense<[[1, 2, -3], [4, 0, 2]]> : tensor<2x3xi8>}> : () -> tensor<2x3x!w8>
  %wide = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x2x!q8>, tensor<2x3x!w8>) -> tensor<2x3x!acc>
  check.expect_eq_const %wide, dense<[[18, 4, 2], [-26, 12, -34]]> : tensor<2x3xi32>
  %r = stablehlo.uniform_quantize %wide : (tensor<2x3x!acc>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[10, 3, 2], [-12, 7, -16]]> : tensor<2x3xi8>
  return
}

// dot_general Q: float by quantized
func.func @dot_general_hybrid() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %w = stablehlo.constant() <{value = dense<[[1, 2, -3], [4, 0, 2]]> : tensor<2x3xi8>}> : () -> tensor<2x3x!w8>
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x3x!w8>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<[[4.5, 1.0, 0.5], [-6.5, 3.0, -8.5]]> : tensor<2x3xf32>
  return
}

// dot_general Q: a scale for each column
func.func @dot_general_per_axis() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %w = stablehlo.constant() <{value = dense<[[1, 4, -12], [4, 0, 8]]> : tensor<2x3xi8>}> : () -> tensor<2x3x!columns>
  %r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x2x!q8>, tensor<2x3x!columns>) -> tensor<2x3x!acc_columns>
  check.expect_eq_const %r, dense<[[18, 8, 8], [-26, 24, -136]]> : tensor<2x3xi32>
  return
}

// dot_general F: factors of two f8 types, as a gradient of an f8 product has them
func.func @dot_general_two_f8_types() {
  %a = stablehlo.constant dense<[[1.5, -2.0, 0.125], [448.0, 0.5, 3.0]]> : tensor<2x3xf8E4M3FN>
  %b = stablehlo.constant dense<[[4.0, 0.25], [57344.0, -1.0], [8.0, 1.75]]> : tensor<3x2xf8E5M2>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[-114681.0, 2.59375], [30488.0, 116.75]]> : tensor<2x2xf32>
  return
}
