// batch_norm_grad F
func.func @batch_norm_grad_f64() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %x2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %x3 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %x4 = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf64>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf64>
  check.expect_almost_eq_const %above0, dense<1.0> : tensor<2x2x2xf64>, tolerance = 1.00e-12
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one1 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %above1 = stablehlo.add %r#1, %one1 : tensor<2xf64>
  check.expect_almost_eq_const %above1, dense<1.0> : tensor<2xf64>, tolerance = 1.00e-12
  check.expect_almost_eq_const %r#2, dense<0.4> : tensor<2xf64>, tolerance = 1.40e-12
  return
}

// batch_norm_grad F: batch_norm_grad f32
func.func @batch_norm_grad_f32() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %x2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %x3 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %x4 = stablehlo.constant dense<0.1> : tensor<2x2x2xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf32>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf32>
  check.expect_almost_eq_const %above0, dense<1.0> : tensor<2x2x2xf32>, tolerance = 1.00e-06
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %above1 = stablehlo.add %r#1, %one1 : tensor<2xf32>
  check.expect_almost_eq_const %above1, dense<1.0> : tensor<2xf32>, tolerance = 1.00e-06
  check.expect_almost_eq_const %r#2, dense<0.4> : tensor<2xf32>, tolerance = 1.40e-06
  return
}

// batch_norm_grad F: batch_norm_grad bf16
func.func @batch_norm_grad_bf16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xbf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %x2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %x3 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %x4 = stablehlo.constant dense<0.1> : tensor<2x2x2xbf16>
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2x2x2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xbf16>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xbf16>
  check.expect_almost_eq_const %above0, dense<1.0> : tensor<2x2x2xbf16>, tolerance = 1.00e-02
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one1 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %above1 = stablehlo.add %r#1, %one1 : tensor<2xbf16>
  check.expect_almost_eq_const %above1, dense<1.0> : tensor<2xbf16>, tolerance = 1.00e-02
  check.expect_almost_eq_const %r#2, dense<0.4> : tensor<2xbf16>, tolerance = 1.40e-02
  return
}

// batch_norm_grad F: batch_norm_grad f16
func.func @batch_norm_grad_f16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %x2 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %x3 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %x4 = stablehlo.constant dense<0.1> : tensor<2x2x2xf16>
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2x2x2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf16>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf16>
  check.expect_almost_eq_const %above0, dense<1.0> : tensor<2x2x2xf16>, tolerance = 2.00e-03
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one1 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %above1 = stablehlo.add %r#1, %one1 : tensor<2xf16>
  check.expect_almost_eq_const %above1, dense<1.0> : tensor<2xf16>, tolerance = 2.00e-03
  check.expect_almost_eq_const %r#2, dense<0.4> : tensor<2xf16>, tolerance = 2.80e-03
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// batch_norm_grad Q
func.func @batch_norm_grad_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %s_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %s = stablehlo.uniform_quantize %s_real : (tensor<2xf32>) -> tensor<2x!q8>
  %m_real = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %m = stablehlo.uniform_quantize %m_real : (tensor<2xf32>) -> tensor<2x!q8>
  %v_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<2xf32>) -> tensor<2x!q8>
  %g_real = stablehlo.constant dense<[[1.0, 1.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %g = stablehlo.uniform_quantize %g_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2x!q8>, tensor<2x!q8>, tensor<2x!q8>, tensor<2x!q8>, tensor<2x2x!q8>) -> (tensor<2x2x!q8>, tensor<2x!q8>, tensor<2x!q8>)
  check.expect_eq_const %r#0, dense<[[1, 1], [1, 1]]> : tensor<2x2xi8>
  check.expect_eq_const %r#1, dense<[1, 5]> : tensor<2xi8>
  check.expect_eq_const %r#2, dense<[5, 9]> : tensor<2xi8>
  return
}

// batch_norm_grad F: sums over an empty batch are zero, whatever the variance
func.func @batch_norm_grad_empty_f32() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %s = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %m = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %a) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<0x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<0x2xf32>) -> (tensor<0x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#1, dense<[0.0, 0.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<[0.0, 0.0]> : tensor<2xf32>
  return
}
