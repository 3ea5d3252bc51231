// dynamic_update_slice: 6 constraints
!update = tensor<2x2xf32>
!i = tensor<i32>
!j = tensor<i32>
!out = tensor<4x4xf32>
func.func @main(%x: tensor<4x4xf32>, %u: !update, %i: !i, %j: !j) -> !out {
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %j) : (tensor<4x4xf32>, !update, !i, !j) -> !out
  return %0 : !out
}
// C1: !out = tensor<4x4xf32> => !out = tensor<4x5xf32>
// C1: !out = tensor<4x4xf32> => !out = tensor<4x4xf16>
// C2: !update = tensor<2x2xf32> => !update = tensor<2x2xf16>
// C3: !update = tensor<2x2xf32> => !update = tensor<2xf32>
// C4: (%x, %u, %i, %j) => (%x, %u, %i) && !update, !i, !j) => !update, !i)
// C5: !j = tensor<i32> => !j = tensor<ui32>
// C6: !update = tensor<2x2xf32> => !update = tensor<2x5xf32>
