// optimization_barrier: 1 constraint
!a = tensor<f32>
!b = tensor<2xi32>
!out = tensor<f32>
func.func @main(%x: !a, %y: !b) -> (!out, !b) {
  %0:2 = "stablehlo.optimization_barrier"(%x, %y) : (!a, !b) -> (!out, !b)
  return %0#0, %0#1 : !out, !b
}
// C1: !out = tensor<f32> => !out = tensor<f64>
// C1: !out = tensor<f32> => !out = tensor<1xf32>
