// select_and_scatter SI
func.func @select_and_scatter_s32() {
  %x0 = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi32>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %x2 = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<4x2xi32>
  check.expect_eq_const %r, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi32>
  return
}

// select_and_scatter UI
func.func @select_and_scatter_u8() {
  %x0 = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xui8>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui8>
  %x2 = stablehlo.constant dense<0> : tensor<ui8>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %p = stablehlo.compare GE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %s : tensor<ui8>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xui8>, tensor<2x2xui8>, tensor<ui8>) -> tensor<4x2xui8>
  check.expect_eq_const %r, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xui8>
  return
}

// select_and_scatter F
func.func @select_and_scatter_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 4.0]]> : tensor<4x2xf32>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %x2 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0], [5.0, 14.0], [7.0, 0.0]]> : tensor<4x2xf32>
  return
}

// select_and_scatter F
func.func @select_and_scatter_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 4.0]]> : tensor<4x2xbf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xbf16>
  %x2 = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xbf16>, tensor<2x2xbf16>, tensor<bf16>) -> tensor<4x2xbf16>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0], [5.0, 14.0], [7.0, 0.0]]> : tensor<4x2xbf16>
  return
}

// select_and_scatter F
func.func @select_and_scatter_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 4.0]]> : tensor<4x2xf64>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf64>
  %x2 = stablehlo.constant dense<0.0> : tensor<f64>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xf64>, tensor<2x2xf64>, tensor<f64>) -> tensor<4x2xf64>
  check.expect_eq_const %r, dense<[[0.0, 0.0], [0.0, 0.0], [5.0, 14.0], [7.0, 0.0]]> : tensor<4x2xf64>
  return
}

// select_and_scatter C
func.func @select_and_scatter_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (5.0, 0.0)], [(2.0, 0.0), (5.0, 0.0)], [(3.0, 0.0), (6.0, 0.0)], [(4.0, 0.0), (4.0, 0.0)]]> : tensor<4x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %x2 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %p = stablehlo.compare GE, %a, %b : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)], [(5.0, 0.0), (14.0, 0.0)], [(7.0, 0.0), (0.0, 0.0)]]> : tensor<4x2xcomplex<f32>>
  return
}

// select_and_scatter F: select_and_scatter figure
func.func @select_and_scatter_f32_2() {
  %x0 = stablehlo.constant dense<[[7.0, 2.0, 5.0, 3.0, 8.0], [3.0, 8.0, 9.0, 3.0, 4.0], [1.0, 5.0, 7.0, 5.0, 6.0], [0.0, 6.0, 2.0, 10.0, 2.0]]> : tensor<4x5xf32>
  %x1 = stablehlo.constant dense<[[2.0, 6.0], [3.0, 1.0]]> : tensor<2x2xf32>
  %x2 = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 8.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]> : tensor<4x5xf32>
  return
}

// select_and_scatter B: select_and_scatter i1
func.func @select_and_scatter_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %x2 = stablehlo.constant dense<false> : tensor<i1>
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<2xi1>, tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// select_and_scatter Q
func.func @select_and_scatter_q8() {
  %a_real = stablehlo.constant dense<[1.0, 3.0, 4.0, 2.0]> : tensor<4xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<4xf32>) -> tensor<4x!q8>
  %s_real = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %s = stablehlo.uniform_quantize %s_real : (tensor<2xf32>) -> tensor<2x!q8>
  %v_real = stablehlo.constant dense<0.0> : tensor<f32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<f32>) -> tensor<!q8>
  %r = "stablehlo.select_and_scatter"(%a, %s, %v) ({
  ^bb0(%x: tensor<!q8>, %y: tensor<!q8>):
    %ge = stablehlo.compare GE, %x, %y : (tensor<!q8>, tensor<!q8>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%x: tensor<!q8>, %y: tensor<!q8>):
    %sum = stablehlo.add %x, %y : tensor<!q8>
    stablehlo.return %sum : tensor<!q8>
  }) {
    window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2>
  } : (tensor<4x!q8>, tensor<2x!q8>, tensor<!q8>) -> tensor<4x!q8>
  check.expect_eq_const %r, dense<[1, 11, 13, 1]> : tensor<4xi8>
  return
}
