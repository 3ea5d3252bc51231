// reduce_window: 16 constraints
!in = tensor<4x6xf32>
!init = tensor<f32>
!acc = tensor<f32>
!out = tensor<2x2xf32>
func.func @main(%x: !in, %i: !init) -> !out {
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>,
    base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>,
    padding = dense<0> : tensor<2x2xi64>} : (!in, !init) -> !out
  return %0 : !out
}
// C1: (%x, %i) => (%x) && (!in, !init) => (!in)
// C3: !init = tensor<f32> => !init = tensor<f64>
// C4: window_dimensions = array<i64: 2, 3> => window_dimensions = array<i64: 2>
// C5: window_dimensions = array<i64: 2, 3> => window_dimensions = array<i64: 2, 0>
// C6: window_strides = array<i64: 2, 3> => window_strides = array<i64: 2>
// C7: window_strides = array<i64: 2, 3> => window_strides = array<i64: 0, 3>
// C8: base_dilations = array<i64: 1, 1> => base_dilations = array<i64: 1, 1, 1>
// C9: base_dilations = array<i64: 1, 1> => base_dilations = array<i64: 1, 0>
// C10: window_dilations = array<i64: 1, 1> => window_dilations = array<i64: 1>
// C11: window_dilations = array<i64: 1, 1> => window_dilations = array<i64: -1, 1>
// C12: padding = dense<0> : tensor<2x2xi64> => padding = dense<0> : tensor<1x2xi64>
// C13: !acc = tensor<f32> => !acc = tensor<f16>
// C13: !acc = tensor<f32> => !acc = tensor<i32>
// C15: !out = tensor<2x2xf32> => !out = tensor<2x3xf32>
// C15: window_strides = array<i64: 2, 3> => window_strides = array<i64: 2, 2305843009213693952>
// C15: base_dilations = array<i64: 1, 1> => base_dilations = array<i64: 1, 1152921504606846976>
// C16: !out = tensor<2x2xf32> => !out = tensor<2x2xf64>
// -----
!y = tensor<4xi32>
!out0 = tensor<2xf32>
!out1 = tensor<2xi32>
func.func @main(%x: tensor<4xf32>, %y: !y, %i: tensor<f32>, %j: tensor<i32>) -> (!out0, !out1) {
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %a, %d : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, !y, tensor<f32>, tensor<i32>) -> (!out0, !out1)
  return %0#0, %0#1 : !out0, !out1
}
// C2: !y = tensor<4xi32> => !y = tensor<5xi32>
// C14: !out1 = tensor<2xi32> => !out1 = tensor<3xi32>
