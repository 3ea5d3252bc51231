// sort: 5 constraints
!x = tensor<2x3xf32>
!y = tensor<2x3xi32>
!out = tensor<2x3xf32>
!e = tensor<f32>
!flag = tensor<i1>
func.func @main(%x: !x, %y: !y) -> (!out, tensor<2x3xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: !e, %b: !e, %c: tensor<i32>, %d: tensor<i32>):
    %r = "stablehlo.compare"(%a, %b) {comparison_direction = #stablehlo<comparison_direction LT>} : (!e, !e) -> !flag
    stablehlo.return %r : !flag
  }) {dimension = 1 : i64, is_stable = true} : (!x, !y) -> (!out, tensor<2x3xi32>)
  return %0#0, %0#1 : !out, tensor<2x3xi32>
}
// C1: (%x, %y) => () && (!x, !y) -> => () ->
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3xf64>
// C2: !out = tensor<2x3xf32> => !out = tensor<3x2xf32>
// C3: !y = tensor<2x3xi32> => !y = tensor<2x4xi32>
// C4: dimension = 1 => dimension = 2
// C4: dimension = 1 => dimension = -3
// C5: !e = tensor<f32> => !e = tensor<f64>
// C5: ^bb0(%a: !e, %b: !e, %c: tensor<i32>, %d: tensor<i32>) => ^bb0(%a: !e, %b: !e)
// C5: ^bb0(%a: !e, %b: !e, %c: tensor<i32>, %d: tensor<i32>) => ^bb0(%a: !e, %c: tensor<i32>, %b: !e, %d: tensor<i32>)
// C5: stablehlo.return %r : !flag => stablehlo.return %a : !e
// C5: !e = tensor<f32> => !e = tensor<1xf32> && !flag = tensor<i1> => !flag = tensor<1xi1>
// -----
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// C4: dimension = -2 => dimension = -3
