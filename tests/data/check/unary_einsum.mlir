// unary_einsum F
func.func @unary_einsum_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = "stablehlo.unary_einsum"(%x0) {einsum_config = "ab->a"} : (tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[3.0, 7.0]> : tensor<2xf32>
  return
}
