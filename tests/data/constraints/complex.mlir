// complex: 3 constraints
!lhs = tensor<3xf32>
!rhs = tensor<3xf32>
!out = tensor<3xcomplex<f32>>
func.func @main(%x: !lhs, %y: !rhs) -> !out {
  %0 = stablehlo.complex %x, %y : (!lhs, !rhs) -> !out
  return %0 : !out
}
// C1: !rhs = tensor<3xf32> => !rhs = tensor<3xf64>
// C1: !lhs = tensor<3xf32> => !lhs = tensor<4xf32>
// C2: !out = tensor<3xcomplex<f32>> => !out = tensor<1x3xcomplex<f32>>
// C3: !out = tensor<3xcomplex<f32>> => !out = tensor<3xcomplex<f64>>
// C3: !out = tensor<3xcomplex<f32>> => !out = tensor<3xf32>
