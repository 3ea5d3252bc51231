// maximum SI
func.func @maximum_s16() {
  %x0 = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xi16>
  %x1 = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xi16>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xi16>, tensor<2x2xi16>) -> tensor<2x2xi16>
  check.expect_eq_const %r, dense<[[5, 6], [7, 8]]> : tensor<2x2xi16>
  return
}

// maximum UI
func.func @maximum_u32() {
  %x0 = stablehlo.constant dense<[[1, 2], [7, 8]]> : tensor<2x2xui32>
  %x1 = stablehlo.constant dense<[[5, 6], [3, 4]]> : tensor<2x2xui32>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xui32>, tensor<2x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %r, dense<[[5, 6], [7, 8]]> : tensor<2x2xui32>
  return
}

// maximum F
func.func @maximum_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  return
}

// maximum F
func.func @maximum_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [7.0, 8.0]]> : tensor<2x2xbf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xbf16>
  return
}

// maximum F
func.func @maximum_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [7.0, 8.0]]> : tensor<2x2xf64>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf64>
  return
}

// maximum F: maximum special
func.func @maximum_f32_2() {
  %x0 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0]> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[1.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  %r = stablehlo.maximum %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<3xf32>, tensor<3xf32>
  return
}

// maximum B: maximum i1
func.func @maximum_pred() {
  %x0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.maximum %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// maximum C: maximum complex
func.func @maximum_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(1.0, 3.0), (1.0, 9.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.maximum %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 3.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// maximum Q
func.func @maximum_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[1.0, -1.5, 7.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.maximum %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[3, 2, 15]> : tensor<3xi8>
  return
}
