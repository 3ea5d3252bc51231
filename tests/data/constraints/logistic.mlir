// logistic: 1 constraint
!in = tensor<2x3xf32>
!out = tensor<2x3xf32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.logistic"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xf32> => !out = tensor<2x4xf32>
// C1: !out = tensor<2x3xf32> => !out = tensor<2x3xf64>
// C1: !in = tensor<2x3xf32> => !in = tensor<3x2xf32>
// -----
!out = tensor<complex<f64>>
func.func @main(%x: tensor<complex<f64>>) -> !out {
  %0 = stablehlo.logistic %x : (tensor<complex<f64>>) -> !out
  return %0 : !out
}
// C1: !out = tensor<complex<f64>> => !out = tensor<f64>
