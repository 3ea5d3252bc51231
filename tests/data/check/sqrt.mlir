// sqrt F
func.func @sqrt_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 4.0, 9.0]> : tensor<4xf32>
  %r = stablehlo.sqrt %x0 : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  return
}

// sqrt F
func.func @sqrt_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 4.0, 9.0]> : tensor<4xf64>
  %r = stablehlo.sqrt %x0 : (tensor<4xf64>) -> tensor<4xf64>
  check.expect_eq_const %r, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  return
}

// sqrt F
func.func @sqrt_f16() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 4.0, 9.0]> : tensor<4xf16>
  %r = stablehlo.sqrt %x0 : (tensor<4xf16>) -> tensor<4xf16>
  check.expect_eq_const %r, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  return
}

// sqrt C: sqrt complex
func.func @sqrt_c64() {
  %x0 = stablehlo.constant dense<[(-4.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.sqrt %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(1.0, 3.0)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// sqrt Q
func.func @sqrt_q8() {
  %a_real = stablehlo.constant dense<[0.0, 4.0, 50.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.sqrt %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 5, 15]> : tensor<3xi8>
  return
}
