// chlo_broadcast_complex F: broadcast_complex
func.func @chlo_broadcast_complex_f32() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<3.0> : tensor<f32>
  %r = chlo.broadcast_complex %x0, %x1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 3.0), (2.0, 3.0)]> : tensor<2xcomplex<f32>>
  return
}
