// torch_index_select F
func.func @torch_index_select_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %x1 = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %r = "stablehlo.torch_index_select"(%x0, %x1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[5.0, 6.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}
