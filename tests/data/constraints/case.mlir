// case: 4 constraints
!t = tensor<2xi32>
!f = tensor<2xi32>
!out = tensor<2xi32>
func.func @main(%p: tensor<i32>, %x: !t, %y: !f) -> !out {
  %0 = "stablehlo.case"(%p) ({
    stablehlo.return %x : !t
  }, {
    stablehlo.return %x : !t
  }, {
    stablehlo.return %y : !f
  }) : (tensor<i32>) -> !out
  return %0 : !out
}
// C2: stablehlo.return %y : !f => ^bb0(%a: !f): stablehlo.return %a : !f
// C3: !f = tensor<2xi32> => !f = tensor<3xi32>
// C4: !out = tensor<2xi32> => !out = tensor<2xi64>
// -----
func.func @main(%p: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%p) ({stablehlo.return %p : tensor<i32>}) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// C1: "stablehlo.case"(%p) ({stablehlo.return %p : tensor<i32>}) => "stablehlo.case"(%p)
