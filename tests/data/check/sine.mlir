// sine F
func.func @sine_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.57079632, 3.14159265, 4.71238898]> : tensor<4xf32>
  %r = stablehlo.sine %x0 : (tensor<4xf32>) -> tensor<4xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %above = stablehlo.add %r, %one : tensor<4xf32>
  check.expect_almost_eq_const %above, dense<[1.0, 2.0, 1.0, 0.0]> : tensor<4xf32>, tolerance = 1.00e-06
  return
}

// sine C: sine complex
func.func @sine_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.sine %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// sine F: sine f64
func.func @sine_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.5707963267948966]> : tensor<2xf64>
  %r = stablehlo.sine %x0 : (tensor<2xf64>) -> tensor<2xf64>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %above = stablehlo.add %r, %one : tensor<2xf64>
  check.expect_almost_eq_const %above, dense<[1.0, 2.0]> : tensor<2xf64>, tolerance = 1.00e-15
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// sine Q
func.func @sine_q8() {
  %a_real = stablehlo.constant dense<[0.0, 1.5, -1.5]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.sine %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 3, -1]> : tensor<3xi8>
  return
}
