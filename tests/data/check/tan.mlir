// tan F
func.func @tan_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.5707963267948966, 3.141592653589793, 4.71238898038469]> : tensor<4xf64>
  %r = stablehlo.tan %x0 : (tensor<4xf64>) -> tensor<4xf64>
  %zeros = stablehlo.slice %r [0:4:2] : (tensor<4xf64>) -> tensor<2xf64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %above = stablehlo.add %zeros, %one : tensor<2xf64>
  check.expect_almost_eq_const %above, dense<1.0> : tensor<2xf64>, tolerance = 1.0e-15
  %poles = stablehlo.slice %r [1:4:2] : (tensor<4xf64>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[1.633123935319537e16, 5.443746451065123e15]> : tensor<2xf64>
  check.expect_close %poles, %expected, max_ulp_difference = 4 : tensor<2xf64>, tensor<2xf64>
  return
}

// tan C: tan complex
func.func @tan_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.tan %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// tan Q
func.func @tan_q8() {
  %a_real = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.tan %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[1, 4, -2]> : tensor<3xi8>
  return
}
