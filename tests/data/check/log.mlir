// log F
func.func @log_f64() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %r = stablehlo.log %x0 : (tensor<4xf64>) -> tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, 0.69314718055994529, 1.0986122886681098, 1.3862943611198906]> : tensor<4xf64>
  check.expect_close %r, %expected, max_ulp_difference = 10 : tensor<4xf64>, tensor<4xf64>
  return
}

// log C: log complex
func.func @log_c64() {
  %x0 = stablehlo.constant dense<[(-1.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.log %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<1xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<1xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[(1.0, 4.14159265)]> : tensor<1xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// log Q
func.func @log_q8() {
  %a_real = stablehlo.constant dense<[1.0, 20.0, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.log %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 7, 3]> : tensor<3xi8>
  return
}
