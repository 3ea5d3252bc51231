// subtract SI
func.func @subtract_s8() {
  %x0 = stablehlo.constant dense<[[6, 8], [10, 12]]> : tensor<2x2xi8>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi8>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  return
}

// subtract UI
func.func @subtract_u8() {
  %x0 = stablehlo.constant dense<[[6, 8], [10, 12]]> : tensor<2x2xui8>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui8>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xui8>, tensor<2x2xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  return
}

// subtract SI
func.func @subtract_s32() {
  %x0 = stablehlo.constant dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

// subtract UI
func.func @subtract_u64() {
  %x0 = stablehlo.constant dense<[[6, 8], [10, 12]]> : tensor<2x2xui64>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui64>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xui64>, tensor<2x2xui64>) -> tensor<2x2xui64>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4]]> : tensor<2x2xui64>
  return
}

// subtract F
func.func @subtract_bf16() {
  %x0 = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xbf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xbf16>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  return
}

// subtract F
func.func @subtract_f16() {
  %x0 = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf16>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  return
}

// subtract F
func.func @subtract_f32() {
  %x0 = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return
}

// subtract F
func.func @subtract_f64() {
  %x0 = stablehlo.constant dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf64>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf64>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  return
}

// subtract C
func.func @subtract_c128() {
  %x0 = stablehlo.constant dense<[[(6.0, 0.0), (8.0, 0.0)], [(10.0, 0.0), (12.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %x1 = stablehlo.constant dense<[[(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %r, dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// subtract Q
func.func @subtract_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[1.0, -1.5, 70.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.subtract %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-5, 5, -119]> : tensor<3xi8>
  return
}
