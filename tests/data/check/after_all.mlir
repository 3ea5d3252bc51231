// after_all F
func.func @after_all_f32() {
  %x0 = stablehlo.constant dense<1.0> : tensor<f32>
  %t = stablehlo.after_all : !stablehlo.token
  %u = stablehlo.after_all %t : !stablehlo.token
  %r = stablehlo.add %x0, %x0 : tensor<f32>
  check.expect_eq_const %x0, dense<1.0> : tensor<f32>
  return
}
