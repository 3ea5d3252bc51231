// vector: batch_norm_inference
// ops: batch_norm_inference
// input: f64[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f64[2] 1
// input: f64[2] 1
// input: f64[2] {2,3}
// input: f64[2] 1
// expect: f64[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// rtol: 1e-12
// atol: 1e-12
func.func @main(%x0: tensor<2x2x2xf64>, %x1: tensor<2xf64>, %x2: tensor<2xf64>, %x3: tensor<2xf64>, %x4: tensor<2xf64>) -> tensor<2x2x2xf64> {
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  return %r : tensor<2x2x2xf64>
}
// -----
// vector: batch_norm_training
// ops: batch_norm_training
// input: f64[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f64[2] 1
// input: f64[2] 1
// expect: f64[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// expect: f64[2] {2,3}
// expect: f64[2] 1
// rtol: 1e-12
// atol: 1e-12
func.func @main(%x0: tensor<2x2x2xf64>, %x1: tensor<2xf64>, %x2: tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}
// -----
// vector: batch_norm_grad
// ops: batch_norm_grad
// input: f64[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f64[2] 1
// input: f64[2] {2,3}
// input: f64[2] 1
// input: f64[2,2,2] 0.1
// expect: f64[2,2,2] 0
// expect: f64[2] 0
// expect: f64[2] 0.4
// rtol: 1e-12
// atol: 1e-12
func.func @main(%x0: tensor<2x2x2xf64>, %x1: tensor<2xf64>, %x2: tensor<2xf64>, %x3: tensor<2xf64>, %x4: tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>
}
// -----
// vector: batch_norm_inference f32
// ops: batch_norm_inference
// input: f32[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f32[2] 1
// input: f32[2] 1
// input: f32[2] {2,3}
// input: f32[2] 1
// expect: f32[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// rtol: 1e-06
// atol: 1e-06
func.func @main(%x0: tensor<2x2x2xf32>, %x1: tensor<2xf32>, %x2: tensor<2xf32>, %x3: tensor<2xf32>, %x4: tensor<2xf32>) -> tensor<2x2x2xf32> {
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
// -----
// vector: batch_norm_training f32
// ops: batch_norm_training
// input: f32[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f32[2] 1
// input: f32[2] 1
// expect: f32[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// expect: f32[2] {2,3}
// expect: f32[2] 1
// rtol: 1e-06
// atol: 1e-06
func.func @main(%x0: tensor<2x2x2xf32>, %x1: tensor<2xf32>, %x2: tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>
}
// -----
// vector: batch_norm_grad f32
// ops: batch_norm_grad
// input: f32[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f32[2] 1
// input: f32[2] {2,3}
// input: f32[2] 1
// input: f32[2,2,2] 0.1
// expect: f32[2,2,2] 0
// expect: f32[2] 0
// expect: f32[2] 0.4
// rtol: 1e-06
// atol: 1e-06
func.func @main(%x0: tensor<2x2x2xf32>, %x1: tensor<2xf32>, %x2: tensor<2xf32>, %x3: tensor<2xf32>, %x4: tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>
}
// -----
// vector: batch_norm_inference bf16
// ops: batch_norm_inference
// input: bf16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: bf16[2] 1
// input: bf16[2] 1
// input: bf16[2] {2,3}
// input: bf16[2] 1
// expect: bf16[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// rtol: 0.01
// atol: 0.01
func.func @main(%x0: tensor<2x2x2xbf16>, %x1: tensor<2xbf16>, %x2: tensor<2xbf16>, %x3: tensor<2xbf16>, %x4: tensor<2xbf16>) -> tensor<2x2x2xbf16> {
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2x2x2xbf16>
  return %r : tensor<2x2x2xbf16>
}
// -----
// vector: batch_norm_training bf16
// ops: batch_norm_training
// input: bf16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: bf16[2] 1
// input: bf16[2] 1
// expect: bf16[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// expect: bf16[2] {2,3}
// expect: bf16[2] 1
// rtol: 0.01
// atol: 0.01
func.func @main(%x0: tensor<2x2x2xbf16>, %x1: tensor<2xbf16>, %x2: tensor<2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>
}
// -----
// vector: batch_norm_grad bf16
// ops: batch_norm_grad
// input: bf16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: bf16[2] 1
// input: bf16[2] {2,3}
// input: bf16[2] 1
// input: bf16[2,2,2] 0.1
// expect: bf16[2,2,2] 0
// expect: bf16[2] 0
// expect: bf16[2] 0.4
// rtol: 0.01
// atol: 0.01
func.func @main(%x0: tensor<2x2x2xbf16>, %x1: tensor<2xbf16>, %x2: tensor<2xbf16>, %x3: tensor<2xbf16>, %x4: tensor<2x2x2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2x2x2xbf16>) -> (tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xbf16>, tensor<2xbf16>, tensor<2xbf16>
}
// -----
// vector: batch_norm_inference f16
// ops: batch_norm_inference
// input: f16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f16[2] 1
// input: f16[2] 1
// input: f16[2] {2,3}
// input: f16[2] 1
// expect: f16[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// rtol: 0.002
// atol: 0.002
func.func @main(%x0: tensor<2x2x2xf16>, %x1: tensor<2xf16>, %x2: tensor<2xf16>, %x3: tensor<2xf16>, %x4: tensor<2xf16>) -> tensor<2x2x2xf16> {
  %r = "stablehlo.batch_norm_inference"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2x2xf16>
  return %r : tensor<2x2x2xf16>
}
// -----
// vector: batch_norm_training f16
// ops: batch_norm_training
// input: f16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f16[2] 1
// input: f16[2] 1
// expect: f16[2,2,2] {{{0,0},{2,2}},{{2,2},{0,0}}}
// expect: f16[2] {2,3}
// expect: f16[2] 1
// rtol: 0.002
// atol: 0.002
func.func @main(%x0: tensor<2x2x2xf16>, %x1: tensor<2xf16>, %x2: tensor<2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>) {
  %r:3 = "stablehlo.batch_norm_training"(%x0, %x1, %x2) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>
}
// -----
// vector: batch_norm_grad f16
// ops: batch_norm_grad
// input: f16[2,2,2] {{{1,2},{3,4}},{{3,4},{1,2}}}
// input: f16[2] 1
// input: f16[2] {2,3}
// input: f16[2] 1
// input: f16[2,2,2] 0.1
// expect: f16[2,2,2] 0
// expect: f16[2] 0
// expect: f16[2] 0.4
// rtol: 0.002
// atol: 0.002
func.func @main(%x0: tensor<2x2x2xf16>, %x1: tensor<2xf16>, %x2: tensor<2xf16>, %x3: tensor<2xf16>, %x4: tensor<2x2x2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>) {
  %r:3 = "stablehlo.batch_norm_grad"(%x0, %x1, %x2, %x3, %x4) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2x2x2xf16>) -> (tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>)
  return %r#0, %r#1, %r#2 : tensor<2x2x2xf16>, tensor<2xf16>, tensor<2xf16>
}
