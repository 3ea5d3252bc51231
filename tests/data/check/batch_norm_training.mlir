// batch_norm_training F
func.func @batch_norm_training_f64() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf64>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf64>
  check.expect_almost_eq_const %above0, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf64>, tolerance = 3.00e-12
  check.expect_almost_eq_const %r#1, dense<[2.0, 3.0]> : tensor<2xf64>, tolerance = 4.00e-12
  check.expect_almost_eq_const %r#2, dense<1.0> : tensor<2xf64>, tolerance = 2.00e-12
  return
}

// batch_norm_training F: batch_norm_training f32
func.func @batch_norm_training_f32() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf32>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf32>
  check.expect_almost_eq_const %above0, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>, tolerance = 3.00e-06
  check.expect_almost_eq_const %r#1, dense<[2.0, 3.0]> : tensor<2xf32>, tolerance = 4.00e-06
  check.expect_almost_eq_const %r#2, dense<1.0> : tensor<2xf32>, tolerance = 2.00e-06
  return
}

// batch_norm_training F: batch_norm_training bf16
func.func @batch_norm_training_bf16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xbf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xbf16>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xbf16>
  check.expect_almost_eq_const %above0, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xbf16>, tolerance = 3.00e-02
  check.expect_almost_eq_const %r#1, dense<[2.0, 3.0]> : tensor<2xbf16>, tolerance = 4.00e-02
  check.expect_almost_eq_const %r#2, dense<1.0> : tensor<2xbf16>, tolerance = 2.00e-02
  return
}

// batch_norm_training F: batch_norm_training f16
func.func @batch_norm_training_f16() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %x2 = stablehlo.constant dense<1.0> : tensor<2xf16>
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>)
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one0 = stablehlo.constant dense<1.0> : tensor<2x2x2xf16>
  %above0 = stablehlo.add %r#0, %one0 : tensor<2x2x2xf16>
  check.expect_almost_eq_const %above0, dense<[[[1.0, 1.0], [3.0, 3.0]], [[3.0, 3.0], [1.0, 1.0]]]> : tensor<2x2x2xf16>, tolerance = 6.00e-03
  check.expect_almost_eq_const %r#1, dense<[2.0, 3.0]> : tensor<2xf16>, tolerance = 8.00e-03
  check.expect_almost_eq_const %r#2, dense<1.0> : tensor<2xf16>, tolerance = 4.00e-03
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// batch_norm_training Q
func.func @batch_norm_training_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %s_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %s = stablehlo.uniform_quantize %s_real : (tensor<2xf32>) -> tensor<2x!q8>
  %o_real = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %o = stablehlo.uniform_quantize %o_real : (tensor<2xf32>) -> tensor<2x!q8>
  %r:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2x!q8>, tensor<2x!q8>, tensor<2x!q8>) -> (tensor<2x2x!q8>, tensor<2x!q8>, tensor<2x!q8>)
  check.expect_eq_const %r#0, dense<[[1, 1], [5, 5]]> : tensor<2x2xi8>
  check.expect_eq_const %r#1, dense<[5, 7]> : tensor<2xi8>
  check.expect_eq_const %r#2, dense<[3, 3]> : tensor<2xi8>
  return
}
