// bitcast_convert UI: bitcast_convert bits
func.func @bitcast_convert_u64() {
  %x0 = stablehlo.constant dense<81985529216486895> : tensor<ui64>
  %r = stablehlo.bitcast_convert %x0 : (tensor<ui64>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[52719, 35243, 17767, 291]> : tensor<4xui16>
  return
}

// bitcast_convert F
func.func @bitcast_convert_u64_2() {
  %x0 = stablehlo.constant dense<81985529216486895> : tensor<ui64>
  %d = stablehlo.bitcast_convert %x0 : (tensor<ui64>) -> tensor<f64>
  %h = stablehlo.bitcast_convert %d : (tensor<f64>) -> tensor<4xf16>
  %r = stablehlo.bitcast_convert %h : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[52719, 35243, 17767, 291]> : tensor<4xui16>
  return
}

// bitcast_convert F: bitcast_convert f32 s32
func.func @bitcast_convert_f32() {
  %x0 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1065353216, -1073741824]> : tensor<2xi32>
  return
}

// bitcast_convert F: bitcast_convert XLA 1
func.func @bitcast_convert_f32_2() {
  %x0 = stablehlo.constant dense<1.0> : tensor<10xf32>
  %r = stablehlo.bitcast_convert %x0 : (tensor<10xf32>) -> tensor<10x2xf16>
  check.expect_eq_const %r, dense<[[0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875]]> : tensor<10x2xf16>
  return
}

// bitcast_convert F: bitcast_convert XLA 2
func.func @bitcast_convert_f32_3() {
  %x0 = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.bitcast_convert %x0 : (tensor<f32>) -> tensor<2xf16>
  check.expect_eq_const %r, dense<[0.0, 1.875]> : tensor<2xf16>
  return
}

// bitcast_convert F: bitcast_convert XLA 3
func.func @bitcast_convert_f16() {
  %x0 = stablehlo.constant dense<[[0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875], [0.0, 1.875]]> : tensor<10x2xf16>
  %r = stablehlo.bitcast_convert %x0 : (tensor<10x2xf16>) -> tensor<10xf32>
  check.expect_eq_const %r, dense<1.0> : tensor<10xf32>
  return
}

// bitcast_convert C: bitcast_convert complex
func.func @bitcast_convert_c64() {
  %x0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  return
}

// bitcast_convert SI: bitcast_convert s8
func.func @bitcast_convert_s8() {
  %x0 = stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xi8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[255, 1]> : tensor<2xui8>
  return
}

// bitcast_convert B: bitcast_convert i1
func.func @bitcast_convert_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// bitcast_convert Q
func.func @bitcast_convert_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.bitcast_convert %a : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13]]> : tensor<2x3xi8>
  return
}
