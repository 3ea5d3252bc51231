// imag: 2 constraints
!in = tensor<2x3xcomplex<f64>>
!out = tensor<2x3xf64>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.imag"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xf64> => !out = tensor<2x4xf64>
// C2: !out = tensor<2x3xf64> => !out = tensor<2x3xf32>
// -----
!out = tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> !out {
  %0 = stablehlo.imag %x : (tensor<2xf32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<2xf32> => !out = tensor<2x1xf32>
// C2: !out = tensor<2xf32> => !out = tensor<2xcomplex<f32>>
