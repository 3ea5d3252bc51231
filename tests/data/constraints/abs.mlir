// abs: 2 constraints
!in = tensor<2x3xcomplex<f32>>
!out = tensor<2x3xf32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.abs"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xf32> => !out = tensor<2x4xf32>
// C2: !out = tensor<2x3xf32> => !out = tensor<2x3xcomplex<f32>>
// -----
!out = tensor<2xi8>
func.func @main(%x: tensor<2xi8>) -> !out {
  %0 = stablehlo.abs %x : (tensor<2xi8>) -> !out
  return %0 : !out
}
// C1: !out = tensor<2xi8> => !out = tensor<i8>
// C2: !out = tensor<2xi8> => !out = tensor<2xui8>
