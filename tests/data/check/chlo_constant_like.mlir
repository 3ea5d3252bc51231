// chlo_constant_like F: constant_like
func.func @chlo_constant_like_f32() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = "chlo.constant_like"(%x0) <{value = 1.5 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.5, 1.5]> : tensor<2xf32>
  return
}

// chlo_constant_like F: constant_like
func.func @chlo_constant_like_f64() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = "chlo.constant_like"(%x0) <{value = 1.5 : f64}> : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_eq_const %r, dense<[1.5, 1.5]> : tensor<2xf64>
  return
}

// chlo_constant_like F: constant_like
func.func @chlo_constant_like_bf16() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %r = "chlo.constant_like"(%x0) <{value = 1.5 : bf16}> : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %r, dense<[1.5, 1.5]> : tensor<2xbf16>
  return
}
