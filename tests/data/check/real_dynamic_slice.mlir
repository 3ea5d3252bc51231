// real_dynamic_slice SI
func.func @real_dynamic_slice_s32() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %s = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %l = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %d = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = stablehlo.real_dynamic_slice %x0, %s, %l, %d : (tensor<3x4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[1, 3], [5, 7]]> : tensor<2x2xi32>
  return
}
