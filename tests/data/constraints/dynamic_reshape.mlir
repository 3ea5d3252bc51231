// dynamic_reshape: 4 constraints
!in = tensor<2x3xi32>
!shape = tensor<2xi64>
!out = tensor<3x2xi32>
func.func @main(%x: !in, %s: !shape) -> !out {
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (!in, !shape) -> !out
  return %0 : !out
}
// C1: !out = tensor<3x2xi32> => !out = tensor<3x2xf32>
// C2: !out = tensor<3x2xi32> => !out = tensor<3x3xi32>
// C4: !shape = tensor<2xi64> => !shape = tensor<3xi64>
// C4: !out = tensor<3x2xi32> => !out = tensor<?xi32>
// -----
!out = tensor<?x2xi32>
func.func @main(%x: tensor<2x?xi32>, %s: tensor<2xi32>) -> !out {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x?xi32>, tensor<2xi32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<?x2xi32> => !out = tensor<?x2xi64>
// C4: !out = tensor<?x2xi32> => !out = tensor<?x2x1xi32>
// -----
!in = tensor<2x3x4x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
!out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>>
!shape = tensor<4xi32>
func.func @main(%x: !in, %s: !shape) -> !out {
  %0 = stablehlo.dynamic_reshape %x, %s : (!in, !shape) -> !out
  return %0 : !out
}
// C1: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1, {0.5,1.0:3,2.0}>> => !out = tensor<2x3x2x2x!quant.uniform<i8:f32, 0.5>>
// C3: !out = tensor<2x3x2x2x!quant.uniform<i8:f32:1 => !out = tensor<4x2x3x!quant.uniform<i8:f32:2 && !shape = tensor<4xi32> => !shape = tensor<3xi32>
