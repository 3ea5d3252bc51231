// add SI
func.func @add_s8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi8>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %r, dense<[[6, 8], [10, 12]]> : tensor<2x2xi8>
  return
}

// add UI
func.func @add_u8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui8>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xui8>, tensor<2x2xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %r, dense<[[6, 8], [10, 12]]> : tensor<2x2xui8>
  return
}

// add SI
func.func @add_s32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  return
}

// add UI
func.func @add_u64() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui64>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui64>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xui64>, tensor<2x2xui64>) -> tensor<2x2xui64>
  check.expect_eq_const %r, dense<[[6, 8], [10, 12]]> : tensor<2x2xui64>
  return
}

// add F
func.func @add_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xbf16>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xbf16>
  return
}

// add F
func.func @add_f16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf16>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  check.expect_eq_const %r, dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf16>
  return
}

// add F
func.func @add_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf32>
  return
}

// add F
func.func @add_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %x1 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf64>
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[6.0, 8.0], [10.0, 12.0]]> : tensor<2x2xf64>
  return
}

// add C: add complex
func.func @add_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.add %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(4.0, 6.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// add B: add i1
func.func @add_pred() {
  %x0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.add %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// add Q: 61 is above the largest value that fits
func.func @add_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[1.0, 60.0, -3.5]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.add %a, %b : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-1, 122, 0]> : tensor<3xi8>
  return
}
