// floor F
func.func @floor_f32() {
  %x0 = stablehlo.constant dense<[-0.8166, -0.2530, 0.2530, 0.8166, 2.0]> : tensor<5xf32>
  %r = stablehlo.floor %x0 : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[-1.0, -1.0, 0.0, 0.0, 2.0]> : tensor<5xf32>
  return
}

// floor F
func.func @floor_f16() {
  %x0 = stablehlo.constant dense<[-0.75, -0.25, 0.25, 0.75, 2.0]> : tensor<5xf16>
  %r = stablehlo.floor %x0 : (tensor<5xf16>) -> tensor<5xf16>
  check.expect_eq_const %r, dense<[-1.0, -1.0, 0.0, 0.0, 2.0]> : tensor<5xf16>
  return
}

// floor F
func.func @floor_f64() {
  %x0 = stablehlo.constant dense<[-0.75, -0.25, 0.25, 0.75, 2.0]> : tensor<5xf64>
  %r = stablehlo.floor %x0 : (tensor<5xf64>) -> tensor<5xf64>
  check.expect_eq_const %r, dense<[-1.0, -1.0, 0.0, 0.0, 2.0]> : tensor<5xf64>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// floor Q
func.func @floor_q8() {
  %a_real = stablehlo.constant dense<[-1.5, 0.5, 2.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.floor %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 1, 5]> : tensor<3xi8>
  return
}
