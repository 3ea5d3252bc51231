// rng: 3 constraints
!a = tensor<f32>
!b = tensor<f32>
!out = tensor<3x3xf32>
func.func @main(%a: !a, %b: !b) -> !out {
  %s = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %0 = "stablehlo.rng"(%a, %b, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (!a, !b, tensor<2xi64>) -> !out
  return %0 : !out
}
// C1: !b = tensor<f32> => !b = tensor<f64>
// C1: !out = tensor<3x3xf32> => !out = tensor<3x3xf64>
// C2: !a = tensor<f32> => !a = tensor<i32> && !b = tensor<f32> => !b = tensor<i32> && !out = tensor<3x3xf32> => !out = tensor<3x3xi32>
// C3: !out = tensor<3x3xf32> => !out = tensor<3x4xf32>
// C3: dense<[3, 3]> => dense<[3, 2]>
// -----
!out = tensor<3x3xf32>
!shape = tensor<2xi64>
func.func @main(%a: tensor<f32>, %s: !shape) -> !out {
  %0 = "stablehlo.rng"(%a, %a, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, !shape) -> !out
  return %0 : !out
}
// C3: !out = tensor<3x3xf32> => !out = tensor<9xf32>
// C3: !shape = tensor<2xi64> => !shape = tensor<3xi64>
