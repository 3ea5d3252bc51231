// reduce_window SI
func.func @reduce_window_s64() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %x1 = stablehlo.constant dense<0> : tensor<i64>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %r, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  return
}

// reduce_window SI
func.func @reduce_window_s8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %x1 = stablehlo.constant dense<0> : tensor<i8>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  check.expect_eq_const %r, dense<[[0, 0], [3, 4]]> : tensor<2x2xi8>
  return
}

// reduce_window UI
func.func @reduce_window_u32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui32>
  %x1 = stablehlo.constant dense<0> : tensor<ui32>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %s : tensor<ui32>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xui32>, tensor<ui32>) -> tensor<2x2xui32>
  check.expect_eq_const %r, dense<[[0, 0], [3, 4]]> : tensor<2x2xui32>
  return
}

// reduce_window F
func.func @reduce_window_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %x1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return
}

// reduce_window F
func.func @reduce_window_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %x1 = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xbf16>, tensor<bf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  return
}

// reduce_window F
func.func @reduce_window_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  %x1 = stablehlo.constant dense<0.0> : tensor<f64>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf64>
  return
}

// reduce_window C
func.func @reduce_window_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]]> : tensor<3x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (0.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// reduce_window F: reduce_window valid
func.func @reduce_window_f32_2() {
  %x0 = stablehlo.constant dense<[10000.0, 1000.0, 100.0, 10.0, 1.0]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[100.0, 1.0]> : tensor<2xf32>
  return
}

// reduce_window F: reduce_window same
func.func @reduce_window_f32_3() {
  %x0 = stablehlo.constant dense<[10000.0, 1000.0, 100.0, 10.0, 1.0]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1000.0, 10.0, 1.0]> : tensor<3xf32>
  return
}

// reduce_window F: reduce_window max pool
func.func @reduce_window_f32_4() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0, 16.0, 17.0], [18.0, 19.0, 20.0, 21.0, 22.0, 23.0]]> : tensor<4x6xf32>
  %x1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[8.0, 11.0], [20.0, 23.0]]> : tensor<2x2xf32>
  return
}

// reduce_window B: reduce_window i1
func.func @reduce_window_pred() {
  %x0 = stablehlo.constant dense<[false, false, true, false]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<false> : tensor<i1>
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reduce_window Q
func.func @reduce_window_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %v_real = stablehlo.constant dense<-64.0> : tensor<f32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<f32>) -> tensor<!q8>
  %r = "stablehlo.reduce_window"(%a, %v) ({
  ^bb0(%x: tensor<!q8>, %y: tensor<!q8>):
    %m = stablehlo.maximum %x, %y : tensor<!q8>
    stablehlo.return %m : tensor<!q8>
  }) {
    window_dimensions = array<i64: 1, 2>
  } : (tensor<2x3x!q8>, tensor<!q8>) -> tensor<2x2x!q8>
  check.expect_eq_const %r, dense<[[5, 7], [9, 13]]> : tensor<2x2xi8>
  return
}
