// chlo_constant SI: constant
func.func @chlo_constant_s32() {
  %r = chlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  return
}
