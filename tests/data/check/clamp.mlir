// clamp SI
func.func @clamp_s32() {
  %x0 = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %x1 = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %x2 = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[5, 13, 20]> : tensor<3xi32>
  return
}

// clamp UI
func.func @clamp_u8() {
  %x0 = stablehlo.constant dense<[5, 10, 15]> : tensor<3xui8>
  %x1 = stablehlo.constant dense<[3, 13, 23]> : tensor<3xui8>
  %x2 = stablehlo.constant dense<[10, 15, 20]> : tensor<3xui8>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xui8>, tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %r, dense<[5, 13, 20]> : tensor<3xui8>
  return
}

// clamp F
func.func @clamp_f32() {
  %x0 = stablehlo.constant dense<[5.0, 10.0, 15.0]> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[3.0, 13.0, 23.0]> : tensor<3xf32>
  %x2 = stablehlo.constant dense<[10.0, 15.0, 20.0]> : tensor<3xf32>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[5.0, 13.0, 20.0]> : tensor<3xf32>
  return
}

// clamp F
func.func @clamp_f64() {
  %x0 = stablehlo.constant dense<[5.0, 10.0, 15.0]> : tensor<3xf64>
  %x1 = stablehlo.constant dense<[3.0, 13.0, 23.0]> : tensor<3xf64>
  %x2 = stablehlo.constant dense<[10.0, 15.0, 20.0]> : tensor<3xf64>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %r, dense<[5.0, 13.0, 20.0]> : tensor<3xf64>
  return
}

// clamp F
func.func @clamp_bf16() {
  %x0 = stablehlo.constant dense<[5.0, 10.0, 15.0]> : tensor<3xbf16>
  %x1 = stablehlo.constant dense<[3.0, 13.0, 23.0]> : tensor<3xbf16>
  %x2 = stablehlo.constant dense<[10.0, 15.0, 20.0]> : tensor<3xbf16>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %r, dense<[5.0, 13.0, 20.0]> : tensor<3xbf16>
  return
}

// clamp SI: clamp scalars
func.func @clamp_s32_2() {
  %x0 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<[-1, 5, 9]> : tensor<3xi32>
  %x2 = stablehlo.constant dense<6> : tensor<i32>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<[0, 5, 6]> : tensor<3xi32>
  return
}

// clamp C: clamp complex
func.func @clamp_c64() {
  %x0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %x1 = stablehlo.constant dense<[(-1.0, 5.0), (1.0, 1.0)]> : tensor<2xcomplex<f32>>
  %x2 = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<complex<f32>>, tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// clamp B: clamp i1
func.func @clamp_pred() {
  %x0 = stablehlo.constant dense<false> : tensor<i1>
  %x1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %x2 = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<i1>, tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// clamp Q
func.func @clamp_q8() {
  %a_real = stablehlo.constant dense<[-1.0, -1.0, -1.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[-5.0, 0.5, 9.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %c_real = stablehlo.constant dense<[2.0, 2.0, 2.0]> : tensor<3xf32>
  %c = stablehlo.uniform_quantize %c_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.clamp %a, %b, %c : tensor<3x!q8>
  check.expect_eq_const %r, dense<[-1, 2, 5]> : tensor<3xi8>
  return
}
