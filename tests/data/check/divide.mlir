// The document prints 5.66666651, which is 17 / 3.
// divide F
func.func @divide_f32() {
  %x0 = stablehlo.constant dense<[17.1, -17.1, 17.1, -17.1]> : tensor<4xf32>
  %x1 = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %r = stablehlo.divide %x0, %x1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %expected = stablehlo.constant dense<[5.7, -5.7, -5.7, 5.7]> : tensor<4xf32>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  return
}

// divide SI: divide integer
func.func @divide_s32() {
  %x0 = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi32>
  %x1 = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi32>
  %r = stablehlo.divide %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %r, dense<[5, -5, -5, 5]> : tensor<4xi32>
  return
}

// divide UI: divide unsigned
func.func @divide_u8() {
  %x0 = stablehlo.constant dense<[250, 7]> : tensor<2xui8>
  %x1 = stablehlo.constant dense<[3, 7]> : tensor<2xui8>
  %r = stablehlo.divide %x0, %x1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[83, 1]> : tensor<2xui8>
  return
}

// divide C: divide complex
func.func @divide_c64() {
  %x0 = stablehlo.constant dense<[(-5.0, 10.0)]> : tensor<1xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(3.0, 4.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.divide %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  check.expect_close %r, %expected, max_ulp_difference = 17 : tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// divide Q
func.func @divide_q8() {
  %a_real = stablehlo.constant dense<[6.0, -3.0, 9.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[2.0, 0.5, -4.5]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.divide %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[7, -11, -3]> : tensor<3xi8>
  return
}
