// compare F
func.func @compare_f32() {
  %x0 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[1.1, 2.9]> : tensor<2xf32>
  %r = stablehlo.compare LT, %x0, %x1, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// compare F: compare totalorder
func.func @compare_f32_2() {
  %x0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 0x7F800000]> : tensor<6xf32>
  %x1 = stablehlo.constant dense<[0xFF800000, -1.0, -0.0, 0.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, true, true]> : tensor<6xi1>
  return
}

// compare F: compare nan
func.func @compare_f32_3() {
  %x0 = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %r = stablehlo.compare NE, %x0, %x1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// compare SI: compare types
func.func @compare_s8() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %x1 = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi8>
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// compare UI: compare types
func.func @compare_u64() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %x1 = stablehlo.constant dense<[2, 2, 2]> : tensor<3xui64>
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// compare F: compare types
func.func @compare_bf16() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %x1 = stablehlo.constant dense<[2.0, 2.0, 2.0]> : tensor<3xbf16>
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// compare F: compare types
func.func @compare_f64() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %x1 = stablehlo.constant dense<[2.0, 2.0, 2.0]> : tensor<3xf64>
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// compare SI: compare types
func.func @compare_s64() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %x1 = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi64>
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// compare B: compare i1
func.func @compare_pred() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.compare GT, %x0, %x1 : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

// compare C: compare complex
func.func @compare_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(1.0, 3.0), (1.0, 9.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.compare LT, %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// compare Q
func.func @compare_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[-2.0, 1.0, 2.5]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.compare GE, %a, %b : (tensor<3x!q8>, tensor<3x!q8>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[true, false, true]> : tensor<3xi1>
  return
}

// compare F: totalOrder has signalling NaNs nearer to infinity than quiet ones
func.func @compare_signalling_f16() {
  %x0 = stablehlo.constant dense<[0x7C01, 0x7E00, 0xFC01, 0x7C01, 0x7C00]> : tensor<5xf16>
  %x1 = stablehlo.constant dense<[0x7E00, 0x7C01, 0xFE00, 0x7C01, 0x7C01]> : tensor<5xf16>
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, true]> : tensor<5xi1>
  return
}

// compare F: totalOrder has signalling NaNs nearer to infinity than quiet ones
func.func @compare_signalling_bf16() {
  %x0 = stablehlo.constant dense<[0x7F81, 0x7FC0, 0xFF81, 0x7F81, 0x7F80]> : tensor<5xbf16>
  %x1 = stablehlo.constant dense<[0x7FC0, 0x7F81, 0xFFC0, 0x7F81, 0x7F81]> : tensor<5xbf16>
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<5xbf16>, tensor<5xbf16>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, true]> : tensor<5xi1>
  return
}

// compare F: totalOrder has signalling NaNs nearer to infinity than quiet ones
func.func @compare_signalling_f8() {
  %x0 = stablehlo.constant dense<[0x7D, 0x7E, 0xFD, 0x7D, 0x7C]> : tensor<5xf8E5M2>
  %x1 = stablehlo.constant dense<[0x7E, 0x7D, 0xFE, 0x7D, 0x7D]> : tensor<5xf8E5M2>
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<5xf8E5M2>, tensor<5xf8E5M2>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, true]> : tensor<5xi1>
  return
}

// compare F: totalOrder has signalling NaNs nearer to infinity than quiet ones
func.func @compare_signalling_f32() {
  %x0 = stablehlo.constant dense<[0x7F800001, 0x7FC00000, 0xFF800001, 0x7F800001, 0x7F800000]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<[0x7FC00000, 0x7F800001, 0xFFC00000, 0x7F800001, 0x7F800001]> : tensor<5xf32>
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, false, false, false, true]> : tensor<5xi1>
  return
}
