// clamp: 4 constraints
!lo = tensor<3xf32>
!x = tensor<3xf32>
!hi = tensor<f32>
!out = tensor<3xf32>
func.func @main(%lo: !lo, %x: !x, %hi: !hi) -> !out {
  %0 = "stablehlo.clamp"(%lo, %x, %hi) : (!lo, !x, !hi) -> !out
  return %0 : !out
}
// C1: !lo = tensor<3xf32> => !lo = tensor<1xf32>
// C2: !hi = tensor<f32> => !hi = tensor<1xf32>
// C3: !hi = tensor<f32> => !hi = tensor<f64>
// C3: !lo = tensor<3xf32> => !lo = tensor<3xi32>
// C4: !out = tensor<3xf32> => !out = tensor<3xf64>
// C4: !out = tensor<3xf32> => !out = tensor<1x3xf32>
