// remainder SI
func.func @remainder_s64() {
  %x0 = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi64>
  %x1 = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  check.expect_eq_const %r, dense<[2, -2, 2, -2]> : tensor<4xi64>
  return
}

// remainder SI
func.func @remainder_s8() {
  %x0 = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi8>
  %x1 = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi8>
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[2, -2, 2, -2]> : tensor<4xi8>
  return
}

// remainder F
func.func @remainder_f32() {
  %x0 = stablehlo.constant dense<[17.0, -17.0, 17.0, -17.0]> : tensor<4xf32>
  %x1 = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf32>
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %r, dense<[2.0, -2.0, 2.0, -2.0]> : tensor<4xf32>
  return
}

// remainder F
func.func @remainder_f64() {
  %x0 = stablehlo.constant dense<[17.0, -17.0, 17.0, -17.0]> : tensor<4xf64>
  %x1 = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xf64>
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  check.expect_eq_const %r, dense<[2.0, -2.0, 2.0, -2.0]> : tensor<4xf64>
  return
}

// remainder F
func.func @remainder_bf16() {
  %x0 = stablehlo.constant dense<[17.0, -17.0, 17.0, -17.0]> : tensor<4xbf16>
  %x1 = stablehlo.constant dense<[3.0, 3.0, -3.0, -3.0]> : tensor<4xbf16>
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  check.expect_eq_const %r, dense<[2.0, -2.0, 2.0, -2.0]> : tensor<4xbf16>
  return
}

// remainder UI: remainder unsigned
func.func @remainder_u32() {
  %x0 = stablehlo.constant dense<[17, 4000000000]> : tensor<2xui32>
  %x1 = stablehlo.constant dense<[3, 7]> : tensor<2xui32>
  %r = stablehlo.remainder %x0, %x1 : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  check.expect_eq_const %r, dense<[2, 3]> : tensor<2xui32>
  return
}

// remainder C: remainder complex
func.func @remainder_c64() {
  %x0 = stablehlo.constant dense<[(7.0, 0.0)]> : tensor<1xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(2.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.remainder %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// remainder Q
func.func @remainder_q8() {
  %a_real = stablehlo.constant dense<[6.5, -3.5, 9.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[2.0, 1.5, -4.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.remainder %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[2, 0, 3]> : tensor<3xi8>
  return
}
