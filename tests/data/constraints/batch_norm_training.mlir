// batch_norm_training: 7 constraints
!x = tensor<2x2x3xf32>
!scale = tensor<3xf32>
!offset = tensor<3xf32>
!out = tensor<2x2x3xf32>
!mean = tensor<3xf32>
!variance = tensor<3xf32>
func.func @main(%x: !x, %s: !scale, %o: !offset) -> (!out, !mean, !variance) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (!x, !scale, !offset) -> (!out, !mean, !variance)
  return %0#0, %0#1, %0#2 : !out, !mean, !variance
}
// C1: feature_index = 2 => feature_index = 3
// C1: feature_index = 2 => feature_index = -1
// C2: !scale = tensor<3xf32> => !scale = tensor<3xf64>
// C2: !mean = tensor<3xf32> => !mean = tensor<3xf64>
// C3: !scale = tensor<3xf32> => !scale = tensor<2xf32>
// C4: !offset = tensor<3xf32> => !offset = tensor<2xf32>
// C5: !mean = tensor<3xf32> => !mean = tensor<2xf32>
// C6: !variance = tensor<3xf32> => !variance = tensor<2xf32>
// C7: !out = tensor<2x2x3xf32> => !out = tensor<2x2x4xf32>
// C7: !out = tensor<2x2x3xf32> => !out = tensor<2x2x3xf64>
