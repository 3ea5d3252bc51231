// map: 4 constraints
!x = tensor<2x3xf32>
!y = tensor<2x3xi32>
!out = tensor<2x3xf64>
!e = tensor<f32>
!r = tensor<f64>
func.func @main(%x: !x, %y: !y) -> !out {
  %0 = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: !e, %b: tensor<i32>):
    %r = stablehlo.convert %a : (!e) -> !r
    stablehlo.return %r : !r
  }) {dimensions = array<i64: 0, 1>} : (!x, !y) -> !out
  return %0 : !out
}
// C1: !y = tensor<2x3xi32> => !y = tensor<3x2xi32>
// C1: !out = tensor<2x3xf64> => !out = tensor<6xf64>
// C2: (%x, %y) => () && (!x, !y) -> => () ->
// C3: array<i64: 0, 1> => array<i64: 0>
// C3: array<i64: 0, 1> => array<i64: 1, 0>
// C4: ^bb0(%a: !e, %b: tensor<i32>) => ^bb0(%a: !e)
// C4: !e = tensor<f32> => !e = tensor<f16>
// C4: !out = tensor<2x3xf64> => !out = tensor<2x3xf32>
// C4: !e = tensor<f32> => !e = tensor<1xf32> && !r = tensor<f64> => !r = tensor<1xf64>
