// round_nearest_even F
func.func @round_nearest_even_f32() {
  %x0 = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf32>
  %r = stablehlo.round_nearest_even %x0 : (tensor<5xf32>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
  return
}

// round_nearest_even F
func.func @round_nearest_even_f64() {
  %x0 = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %r = stablehlo.round_nearest_even %x0 : (tensor<5xf64>) -> tensor<5xf64>
  check.expect_eq_const %r, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf64>
  return
}

// round_nearest_even F
func.func @round_nearest_even_f16() {
  %x0 = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf16>
  %r = stablehlo.round_nearest_even %x0 : (tensor<5xf16>) -> tensor<5xf16>
  check.expect_eq_const %r, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf16>
  return
}

// round_nearest_even F
func.func @round_nearest_even_bf16() {
  %x0 = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xbf16>
  %r = stablehlo.round_nearest_even %x0 : (tensor<5xbf16>) -> tensor<5xbf16>
  check.expect_eq_const %r, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xbf16>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// round_nearest_even Q
func.func @round_nearest_even_q8() {
  %a_real = stablehlo.constant dense<[-2.5, 0.5, 2.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.round_nearest_even %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 1, 5]> : tensor<3xi8>
  return
}
