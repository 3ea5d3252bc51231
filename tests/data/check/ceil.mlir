// ceil F
func.func @ceil_f32() {
  %x0 = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %r = stablehlo.ceil %x0 : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xf32>
  return
}

// ceil F
func.func @ceil_bf16() {
  %x0 = stablehlo.constant dense<[-0.75, -0.25, 0.25, 0.75, 2.0]> : tensor<5xbf16>
  %r = stablehlo.ceil %x0 : (tensor<5xbf16>) -> tensor<5xbf16>
  check.expect_eq_const %r, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xbf16>
  return
}

// ceil F
func.func @ceil_f64() {
  %x0 = stablehlo.constant dense<[-0.75, -0.25, 0.25, 0.75, 2.0]> : tensor<5xf64>
  %r = stablehlo.ceil %x0 : (tensor<5xf64>) -> tensor<5xf64>
  check.expect_eq_const %r, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xf64>
  return
}

// ceil F
func.func @ceil_f8e5m2() {
  %x0 = stablehlo.constant dense<[-0.75, -0.25, 0.25, 0.75, 2.0]> : tensor<5xf8E5M2>
  %r = stablehlo.ceil %x0 : (tensor<5xf8E5M2>) -> tensor<5xf8E5M2>
  check.expect_eq_const %r, dense<[-0.0, -0.0, 1.0, 1.0, 2.0]> : tensor<5xf8E5M2>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// ceil Q
func.func @ceil_q8() {
  %a_real = stablehlo.constant dense<[-1.5, 0.5, 2.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.ceil %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-1, 3, 5]> : tensor<3xi8>
  return
}
