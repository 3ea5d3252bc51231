func.func private @call_f32_double(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %a, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
// call F: func.call
func.func @call_f32() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = func.call @call_f32_double(%x0) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
