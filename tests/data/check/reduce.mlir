// reduce SI
func.func @reduce_s64() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %x1 = stablehlo.constant dense<0> : tensor<i64>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %r, dense<[15]> : tensor<1xi64>
  return
}

// reduce SI
func.func @reduce_s8() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi8>
  %x1 = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi8>, tensor<i8>) -> tensor<1xi8>
  check.expect_eq_const %r, dense<[15]> : tensor<1xi8>
  return
}

// reduce UI
func.func @reduce_u8() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xui8>
  %x1 = stablehlo.constant dense<0> : tensor<ui8>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xui8>, tensor<ui8>) -> tensor<1xui8>
  check.expect_eq_const %r, dense<[15]> : tensor<1xui8>
  return
}

// reduce F
func.func @reduce_f32() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x6xf32>
  %x1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xf32>, tensor<f32>) -> tensor<1xf32>
  check.expect_eq_const %r, dense<[15.0]> : tensor<1xf32>
  return
}

// reduce F
func.func @reduce_bf16() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x6xbf16>
  %x1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xbf16>, tensor<bf16>) -> tensor<1xbf16>
  check.expect_eq_const %r, dense<[15.0]> : tensor<1xbf16>
  return
}

// reduce F
func.func @reduce_f64() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x6xf64>
  %x1 = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xf64>, tensor<f64>) -> tensor<1xf64>
  check.expect_eq_const %r, dense<[15.0]> : tensor<1xf64>
  return
}

// reduce C
func.func @reduce_c64() {
  %x0 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0), (5.0, 0.0)]]> : tensor<1x6xcomplex<f32>>
  %x1 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(15.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// reduce B: reduce i1
func.func @reduce_pred() {
  %x0 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %x1 = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}

// reduce SI: reduce XLA dim 0
func.func @reduce_s32() {
  %x0 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<4x2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %r, dense<[[4, 8, 12], [16, 20, 24]]> : tensor<2x3xi32>
  return
}

// reduce SI: reduce XLA dim 2
func.func @reduce_s32_2() {
  %x0 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<4x2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [2] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<4x2xi32>
  check.expect_eq_const %r, dense<[[6, 15], [6, 15], [6, 15], [6, 15]]> : tensor<4x2xi32>
  return
}

// reduce SI: reduce XLA dims 0 1
func.func @reduce_s32_3() {
  %x0 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<4x2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[20, 28, 36]> : tensor<3xi32>
  return
}

// reduce SI: reduce XLA all
func.func @reduce_s32_4() {
  %x0 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<4x2x3xi32>
  %x1 = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<84> : tensor<i32>
  return
}

// reduce F: reduce XLA 1-D
func.func @reduce_f32_2() {
  %x0 = stablehlo.constant dense<[10.0, 11.0, 12.0, 13.0]> : tensor<4xf32>
  %x1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %r, dense<46.0> : tensor<f32>
  return
}

// reduce SI: reduce promotion
func.func @reduce_s8_2() {
  %x0 = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %x1 = stablehlo.constant dense<0> : tensor<i8>
  %r = "stablehlo.reduce"(%x0, %x1) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %r, dense<300> : tensor<i32>
  return
}

// reduce F: reduce argmax
func.func @reduce_f32_3() {
  %x0 = stablehlo.constant dense<[1.0, 7.0, 3.0, 7.0, 2.0]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %x2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %x3 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x0, %x1, %x2, %x3) ({
  ^bb0(%m: tensor<f32>, %i: tensor<i32>, %v: tensor<f32>, %j: tensor<i32>):
    %p = stablehlo.compare GE, %v, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %p, %v, %m : tensor<i1>, tensor<f32>
    %t = stablehlo.select %p, %j, %i : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<7.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<3> : tensor<i32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reduce Q
func.func @reduce_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %v_real = stablehlo.constant dense<0.0> : tensor<f32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<f32>) -> tensor<!q8>
  %r = stablehlo.reduce(%a init: %v) applies stablehlo.add across dimensions = [1] : (tensor<2x3x!q8>, tensor<!q8>) -> tensor<2x!q8>
  check.expect_eq_const %r, dense<[13, 11]> : tensor<2xi8>
  return
}
