// select: 2 constraints
!pred = tensor<2x3xi1>
!a = tensor<2x3xf32>
!b = tensor<2x3xf32>
!out = tensor<2x3xf32>
func.func @main(%p: !pred, %x: !a, %y: !b) -> !out {
  %0 = "stablehlo.select"(%p, %x, %y) : (!pred, !a, !b) -> !out
  return %0 : !out
}
// C1: !pred = tensor<2x3xi1> => !pred = tensor<3xi1>
// C1: !pred = tensor<2x3xi1> => !pred = tensor<1x1xi1>
// C2: !b = tensor<2x3xf32> => !b = tensor<2x3xf16>
// C2: !b = tensor<2x3xf32> => !b = tensor<f32>
// C2: !out = tensor<2x3xf32> => !out = tensor<3x2xf32>
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3xi32>
// -----
!pred = tensor<i1>
func.func @main(%p: !pred, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : !pred, tensor<2xf32>
  return %0 : tensor<2xf32>
}
// C1: !pred = tensor<i1> => !pred = tensor<1xi1>
