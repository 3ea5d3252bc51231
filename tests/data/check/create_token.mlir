// create_token F
func.func @create_token_f32() {
  %x0 = stablehlo.constant dense<1.0> : tensor<f32>
  %t = stablehlo.create_token : !stablehlo.token
  check.expect_eq_const %x0, dense<1.0> : tensor<f32>
  return
}
