// bitcast_convert: 2 constraints
!in = tensor<2x3xf32>
!out = tensor<2x3xi32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.bitcast_convert"(%x) : (!in) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3xi32> => !out = tensor<3x2xi32>
// C1: !out = tensor<2x3xi32> => !out = tensor<2x3xi16>
// C1: !out = tensor<2x3xi32> => !out = tensor<2xi64>
// C2: !out = tensor<2x3xi32> => !out = tensor<2x3x1xcomplex<f32>>
// -----
!in = tensor<4x2xf16>
!out = tensor<4xi32>
func.func @main(%x: !in) -> !out {
  %0 = stablehlo.bitcast_convert %x : (!in) -> !out
  return %0 : !out
}
// C1: !in = tensor<4x2xf16> => !in = tensor<4x3xf16>
// C1: !out = tensor<4xi32> => !out = tensor<2xi32>
// -----
!out = tensor<complex<f64>>
func.func @main(%x: tensor<2xcomplex<f32>>) -> !out {
  %0 = stablehlo.bitcast_convert %x : (tensor<2xcomplex<f32>>) -> !out
  return %0 : !out
}
// C2: !out = tensor<complex<f64>> => !out = tensor<2xf64>
