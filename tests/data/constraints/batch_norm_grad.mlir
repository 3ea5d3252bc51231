// batch_norm_grad: 5 constraints
!x = tensor<2x2x3xf32>
!scale = tensor<3xf32>
!mean = tensor<3xf32>
!variance = tensor<3xf32>
!dy = tensor<2x2x3xf32>
!dx = tensor<2x2x3xf32>
!dscale = tensor<3xf32>
!doffset = tensor<3xf32>
func.func @main(%x: !x, %s: !scale, %m: !mean, %v: !variance, %d: !dy) -> (!dx, !dscale, !doffset) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %d) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (!x, !scale, !mean, !variance, !dy) -> (!dx, !dscale, !doffset)
  return %0#0, %0#1, %0#2 : !dx, !dscale, !doffset
}
// C1: feature_index = 2 => feature_index = 3
// C1: feature_index = 2 => feature_index = -1
// C2: !mean = tensor<3xf32> => !mean = tensor<3xf64>
// C2: !dscale = tensor<3xf32> => !dscale = tensor<3xf64>
// C3: !dy = tensor<2x2x3xf32> => !dy = tensor<2x3x3xf32>
// C3: !dx = tensor<2x2x3xf32> => !dx = tensor<2x3x3xf32>
// C4: !mean = tensor<3xf32> => !mean = tensor<2xf32>
// C4: !variance = tensor<3xf32> => !variance = tensor<4xf32>
// C4: !dscale = tensor<3xf32> => !dscale = tensor<2xf32>
// C4: !doffset = tensor<3xf32> => !doffset = tensor<1x3xf32>
// C5: = tensor<3xf32> => = tensor<2xf32>
