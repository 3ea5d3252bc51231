// if: 3 constraints
!t = tensor<2xi32>
!f = tensor<2xi32>
!out = tensor<2xi32>
func.func @main(%p: tensor<i1>, %x: !t, %y: !f) -> !out {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : !t
  }, {
    stablehlo.return %y : !f
  }) : (tensor<i1>) -> !out
  return %0 : !out
}
// C1: stablehlo.return %x : !t => ^bb0(%a: !t): stablehlo.return %a : !t
// C2: !f = tensor<2xi32> => !f = tensor<3xi32>
// C2: stablehlo.return %y : !f => stablehlo.return %y, %y : !f, !f
// C3: !out = tensor<2xi32> => !out = tensor<2xi64>
