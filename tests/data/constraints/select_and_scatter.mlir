// select_and_scatter: 12 constraints
!in = tensor<4x2xf32>
!source = tensor<2x2xf32>
!init = tensor<f32>
!e = tensor<f32>
!flag = tensor<i1>
!acc = tensor<f32>
!out = tensor<4x2xf32>
func.func @main(%x: !in, %s: !source, %i: !init) -> !out {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: !e, %b: !e):
    %p = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction GE>} : (!e, !e) -> !flag
    stablehlo.return %p : !flag
  }, {
  ^bb0(%a: !acc, %b: !acc):
    %t = stablehlo.add %a, %b : !acc
    stablehlo.return %t : !acc
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>,
    padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (!in, !source, !init) -> !out
  return %0 : !out
}
// C1: !source = tensor<2x2xf32> => !source = tensor<2x2xf64>
// C2: !source = tensor<2x2xf32> => !source = tensor<3x2xf32>
// C2: window_strides = array<i64: 2, 1> => window_strides = array<i64: 2, 2305843009213693952>
// C3: !init = tensor<f32> => !init = tensor<f64>
// C4: window_dimensions = array<i64: 3, 1> => window_dimensions = array<i64: 3>
// C4: {window_dimensions = array<i64: 3, 1>, => {
// C5: window_dimensions = array<i64: 3, 1> => window_dimensions = array<i64: 3, 0>
// C6: window_strides = array<i64: 2, 1> => window_strides = array<i64: 2>
// C7: window_strides = array<i64: 2, 1> => window_strides = array<i64: 2, 0>
// C8: dense<[[0, 1], [0, 0]]> : tensor<2x2xi64> => dense<[[0, 1]]> : tensor<1x2xi64>
// C9: !e = tensor<f32> => !e = tensor<f64>
// C9: stablehlo.return %p : !flag => stablehlo.return %a : !e
// C9: ^bb0(%a: !e, %b: !e) => ^bb0(%a: !e, %b: !e, %c: !e)
// C10: !acc = tensor<f32> => !acc = tensor<f16>
// C10: !acc = tensor<f32> => !acc = tensor<i32>
// C11: !out = tensor<4x2xf32> => !out = tensor<4x3xf32>
// C12: !out = tensor<4x2xf32> => !out = tensor<4x2xf64>
