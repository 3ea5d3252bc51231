// reduce: 8 constraints
!in = tensor<2x3xi16>
!init = tensor<i16>
!acc = tensor<i32>
!out = tensor<2xi32>
func.func @main(%x: !in, %i: !init) -> !out {
  %0 = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {dimensions = array<i64: 1>} : (!in, !init) -> !out
  return %0 : !out
}
// C2: !init = tensor<i16> => !init = tensor<i32>
// C3: (%x, %i) => (%x) && (!in, !init) => (!in)
// C4: array<i64: 1> => array<i64: 2>
// C4: array<i64: 1> => array<i64: -1>
// C5: array<i64: 1> => array<i64: 1, 1>
// C6: !acc = tensor<i32> => !acc = tensor<i8>
// C6: !acc = tensor<i32> => !acc = tensor<f32>
// C6: !acc = tensor<i32> => !acc = tensor<1xi32>
// C6: ^bb0(%a: !acc, %b: !acc) => ^bb0(%a: !acc, %b: !acc, %c: !acc, %d: !acc)
// C6: stablehlo.return %s : !acc => stablehlo.return %s, %s : !acc, !acc
// C7: !out = tensor<2xi32> => !out = tensor<3xi32>
// C7: !out = tensor<2xi32> => !out = tensor<2x1xi32>
// C8: !out = tensor<2xi32> => !out = tensor<2xi16>
// -----
!y = tensor<2x3xf32>
func.func @main(%x: tensor<2x3xi32>, %y: !y, %i: tensor<i32>, %j: tensor<f32>) -> (tensor<2xi32>, tensor<2xf32>) {
  %0:2 = "stablehlo.reduce"(%x, %y, %i, %j) ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    stablehlo.return %a, %d : tensor<i32>, tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, !y, tensor<i32>, tensor<f32>) -> (tensor<2xi32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xf32>
}
// C1: !y = tensor<2x3xf32> => !y = tensor<2x4xf32>
// C6: stablehlo.return %a, %d : tensor<i32>, tensor<f32> => stablehlo.return %d, %a : tensor<f32>, tensor<i32>
