// negate SI
func.func @negate_s32() {
  %x0 = stablehlo.constant dense<[0, -2]> : tensor<2xi32>
  %r = stablehlo.negate %x0 : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[0, 2]> : tensor<2xi32>
  return
}

// negate C: negate complex
func.func @negate_c64() {
  %x0 = stablehlo.constant dense<[(2.5, 0.0)]> : tensor<1xcomplex<f32>>
  %r = stablehlo.negate %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r, dense<[(-2.5, -0.0)]> : tensor<1xcomplex<f32>>
  return
}

// negate UI: negate unsigned
func.func @negate_u8() {
  %x0 = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %r = stablehlo.negate %x0 : (tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %r, dense<[0, 255, 1]> : tensor<3xui8>
  return
}

// negate F: negate floats
func.func @negate_f32() {
  %x0 = stablehlo.constant dense<[0.0, -2.0, 1.5]> : tensor<3xf32>
  %r = stablehlo.negate %x0 : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[-0.0, 2.0, -1.5]> : tensor<3xf32>
  return
}

// negate F: negate floats
func.func @negate_bf16() {
  %x0 = stablehlo.constant dense<[0.0, -2.0, 1.5]> : tensor<3xbf16>
  %r = stablehlo.negate %x0 : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %r, dense<[-0.0, 2.0, -1.5]> : tensor<3xbf16>
  return
}

// negate F: negate floats
func.func @negate_f64() {
  %x0 = stablehlo.constant dense<[0.0, -2.0, 1.5]> : tensor<3xf64>
  %r = stablehlo.negate %x0 : (tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %r, dense<[-0.0, 2.0, -1.5]> : tensor<3xf64>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// negate Q
func.func @negate_q8() {
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.negate %a : tensor<3x!q8>
  check.expect_eq_const %r, dense<[5, 0, -5]> : tensor<3xi8>
  return
}

// negate F: f8E8M0FNU has no negative values, so the negative of any is NaN
func.func @negate_twice_e8m0() {
  %x0 = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xf8E8M0FNU>
  %n = stablehlo.negate %x0 : tensor<2xf8E8M0FNU>
  %r = stablehlo.negate %n : tensor<2xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %r : (tensor<2xf8E8M0FNU>) -> tensor<2xui8>
  check.expect_eq_const %bits, dense<[255, 255]> : tensor<2xui8>
  return
}
