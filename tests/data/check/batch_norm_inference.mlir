// batch_norm_inference F
func.func @batch_norm_inference_f64() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %x3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %x4 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<2x2x2xf64>
  %above = stablehlo.add %r, %one : tensor<2x2x2xf64>
  check.expect_almost_eq_const %above, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf64>, tolerance = 3.00e-12
  return
}

// batch_norm_inference F: batch_norm_inference f32
func.func @batch_norm_inference_f32() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %x3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %x4 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<2x2x2xf32>
  %above = stablehlo.add %r, %one : tensor<2x2x2xf32>
  check.expect_almost_eq_const %above, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>, tolerance = 3.00e-06
  return
}

// batch_norm_inference F: batch_norm_inference bf16
func.func @batch_norm_inference_bf16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xbf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %x3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %x4 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2x2x2xbf16>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<2x2x2xbf16>
  %above = stablehlo.add %r, %one : tensor<2x2x2xbf16>
  check.expect_almost_eq_const %above, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xbf16>, tolerance = 3.00e-02
  return
}

// batch_norm_inference F: batch_norm_inference f16
func.func @batch_norm_inference_f16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %x3 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %x4 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2x2xf16>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<2x2x2xf16>
  %above = stablehlo.add %r, %one : tensor<2x2x2xf16>
  check.expect_almost_eq_const %above, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf16>, tolerance = 6.00e-03
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// batch_norm_inference Q
func.func @batch_norm_inference_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %s_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %s = stablehlo.uniform_quantize %s_real : (tensor<2xf32>) -> tensor<2x!q8>
  %o_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %o = stablehlo.uniform_quantize %o_real : (tensor<2xf32>) -> tensor<2x!q8>
  %m_real = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %m = stablehlo.uniform_quantize %m_real : (tensor<2xf32>) -> tensor<2x!q8>
  %v_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<2xf32>) -> tensor<2x!q8>
  %r = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2x!q8>, tensor<2x!q8>, tensor<2x!q8>, tensor<2x!q8>, tensor<2x!q8>) -> tensor<2x2x!q8>
  check.expect_eq_const %r, dense<[[1, 1], [5, 5]]> : tensor<2x2xi8>
  return
}
