// rng_bit_generator UI
func.func @rng_bit_generator_u64() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %r:2 = stablehlo.rng_bit_generator %x0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %r#0, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
  return
}
