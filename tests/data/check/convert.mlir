// convert SI
func.func @convert_s64() {
  %x0 = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %r = stablehlo.convert %x0 : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %r, dense<[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// convert SI: convert XLA
func.func @convert_s32() {
  %x0 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %r = stablehlo.convert %x0 : (tensor<3xi32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

// convert SI: convert to
func.func @convert_s4() {
  %x0 = stablehlo.constant dense<[0.0, 1.75, 2.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[0, 1, 2]> : tensor<3xi4>
  return
}

// convert UI: convert to
func.func @convert_u8() {
  %x0 = stablehlo.constant dense<[0.0, 1.75, 2.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xui8>
  check.expect_eq_const %r, dense<[0, 1, 2]> : tensor<3xui8>
  return
}

// convert SI: convert to
func.func @convert_s64_2() {
  %x0 = stablehlo.constant dense<[0.0, 1.75, 2.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi64>
  check.expect_eq_const %r, dense<[0, 1, 2]> : tensor<3xi64>
  return
}

// convert C: convert to i1
func.func @convert_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (-0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.convert %x0 : (tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, false]> : tensor<3xi1>
  return
}

// convert F: convert narrow
func.func @convert_f32() {
  %x0 = stablehlo.constant dense<[1.0, 1.0009765625, 448.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %r, dense<[1.0, 1.0, 448.0]> : tensor<3xf8E4M3FN>
  return
}

// convert B: convert from i1
func.func @convert_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.convert %x0 : (tensor<2xi1>) -> tensor<2xbf16>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xbf16>
  return
}

// convert UI: convert from unsigned
func.func @convert_u32() {
  %x0 = stablehlo.constant dense<[0, 4294967295]> : tensor<2xui32>
  %r = stablehlo.convert %x0 : (tensor<2xui32>) -> tensor<2xf64>
  check.expect_eq_const %r, dense<[0.0, 4294967295.0]> : tensor<2xf64>
  return
}

// convert F: convert from f4e2m1fn
func.func @convert_f4e2m1fn() {
  %x0 = stablehlo.constant dense<[1.0, -6.0, 0.5]> : tensor<3xf4E2M1FN>
  %r = stablehlo.convert %x0 : (tensor<3xf4E2M1FN>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -6.0, 0.5]> : tensor<3xf32>
  return
}

// convert F: convert to f4e2m1fn
func.func @convert_f32_2() {
  %x0 = stablehlo.constant dense<[1.0, -6.0, 0.5]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf4E2M1FN>
  check.expect_eq_const %r, dense<[1.0, -6.0, 0.5]> : tensor<3xf4E2M1FN>
  return
}

// convert F: convert from f6e2m3fn
func.func @convert_f6e2m3fn() {
  %x0 = stablehlo.constant dense<[1.0, -7.5, 0.125]> : tensor<3xf6E2M3FN>
  %r = stablehlo.convert %x0 : (tensor<3xf6E2M3FN>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -7.5, 0.125]> : tensor<3xf32>
  return
}

// convert F: convert to f6e2m3fn
func.func @convert_f32_3() {
  %x0 = stablehlo.constant dense<[1.0, -7.5, 0.125]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf6E2M3FN>
  check.expect_eq_const %r, dense<[1.0, -7.5, 0.125]> : tensor<3xf6E2M3FN>
  return
}

// convert F: convert from f6e3m2fn
func.func @convert_f6e3m2fn() {
  %x0 = stablehlo.constant dense<[1.0, -28.0, 0.0625]> : tensor<3xf6E3M2FN>
  %r = stablehlo.convert %x0 : (tensor<3xf6E3M2FN>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -28.0, 0.0625]> : tensor<3xf32>
  return
}

// convert F: convert to f6e3m2fn
func.func @convert_f32_4() {
  %x0 = stablehlo.constant dense<[1.0, -28.0, 0.0625]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf6E3M2FN>
  check.expect_eq_const %r, dense<[1.0, -28.0, 0.0625]> : tensor<3xf6E3M2FN>
  return
}

// convert F: convert from f8e3m4
func.func @convert_f8e3m4() {
  %x0 = stablehlo.constant dense<[1.0, -15.5, 0.25]> : tensor<3xf8E3M4>
  %r = stablehlo.convert %x0 : (tensor<3xf8E3M4>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -15.5, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e3m4
func.func @convert_f32_5() {
  %x0 = stablehlo.constant dense<[1.0, -15.5, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E3M4>
  check.expect_eq_const %r, dense<[1.0, -15.5, 0.25]> : tensor<3xf8E3M4>
  return
}

// convert F: convert from f8e4m3
func.func @convert_f8e4m3() {
  %x0 = stablehlo.constant dense<[1.0, -240.0, 0.25]> : tensor<3xf8E4M3>
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -240.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e4m3
func.func @convert_f32_6() {
  %x0 = stablehlo.constant dense<[1.0, -240.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3>
  check.expect_eq_const %r, dense<[1.0, -240.0, 0.25]> : tensor<3xf8E4M3>
  return
}

// convert F: convert from f8e4m3fn
func.func @convert_f8e4m3fn() {
  %x0 = stablehlo.constant dense<[1.0, -448.0, 0.25]> : tensor<3xf8E4M3FN>
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -448.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e4m3fn
func.func @convert_f32_7() {
  %x0 = stablehlo.constant dense<[1.0, -448.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %r, dense<[1.0, -448.0, 0.25]> : tensor<3xf8E4M3FN>
  return
}

// convert F: convert from f8e4m3fnuz
func.func @convert_f8e4m3fnuz() {
  %x0 = stablehlo.constant dense<[1.0, -240.0, 0.25]> : tensor<3xf8E4M3FNUZ>
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -240.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e4m3fnuz
func.func @convert_f32_8() {
  %x0 = stablehlo.constant dense<[1.0, -240.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %r, dense<[1.0, -240.0, 0.25]> : tensor<3xf8E4M3FNUZ>
  return
}

// convert F: convert from f8e4m3b11fnuz
func.func @convert_f8e4m3b11fnuz() {
  %x0 = stablehlo.constant dense<[1.0, -30.0, 0.25]> : tensor<3xf8E4M3B11FNUZ>
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3B11FNUZ>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -30.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e4m3b11fnuz
func.func @convert_f32_9() {
  %x0 = stablehlo.constant dense<[1.0, -30.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3B11FNUZ>
  check.expect_eq_const %r, dense<[1.0, -30.0, 0.25]> : tensor<3xf8E4M3B11FNUZ>
  return
}

// convert F: convert from f8e5m2
func.func @convert_f8e5m2() {
  %x0 = stablehlo.constant dense<[1.0, -57344.0, 0.25]> : tensor<3xf8E5M2>
  %r = stablehlo.convert %x0 : (tensor<3xf8E5M2>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -57344.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e5m2
func.func @convert_f32_10() {
  %x0 = stablehlo.constant dense<[1.0, -57344.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E5M2>
  check.expect_eq_const %r, dense<[1.0, -57344.0, 0.25]> : tensor<3xf8E5M2>
  return
}

// convert F: convert from f8e5m2fnuz
func.func @convert_f8e5m2fnuz() {
  %x0 = stablehlo.constant dense<[1.0, -57344.0, 0.25]> : tensor<3xf8E5M2FNUZ>
  %r = stablehlo.convert %x0 : (tensor<3xf8E5M2FNUZ>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -57344.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e5m2fnuz
func.func @convert_f32_11() {
  %x0 = stablehlo.constant dense<[1.0, -57344.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %r, dense<[1.0, -57344.0, 0.25]> : tensor<3xf8E5M2FNUZ>
  return
}

// convert F: convert from f8e8m0fnu
func.func @convert_f8e8m0fnu() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 0.25]> : tensor<3xf8E8M0FNU>
  %r = stablehlo.convert %x0 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0, 0.25]> : tensor<3xf32>
  return
}

// convert F: convert to f8e8m0fnu
func.func @convert_f32_12() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  check.expect_eq_const %r, dense<[1.0, 2.0, 0.25]> : tensor<3xf8E8M0FNU>
  return
}

// convert SI: convert from s2
func.func @convert_s2() {
  %x0 = stablehlo.constant dense<[1, -2, 0]> : tensor<3xi2>
  %r = stablehlo.convert %x0 : (tensor<3xi2>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -2.0, 0.0]> : tensor<3xf32>
  return
}

// convert F: convert to s2
func.func @convert_f32_13() {
  %x0 = stablehlo.constant dense<[1.0, -2.0, 0.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi2>
  check.expect_eq_const %r, dense<[1, -2, 0]> : tensor<3xi2>
  return
}

// convert UI: convert from u2
func.func @convert_u2() {
  %x0 = stablehlo.constant dense<[1, 3, 0]> : tensor<3xui2>
  %r = stablehlo.convert %x0 : (tensor<3xui2>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, 3.0, 0.0]> : tensor<3xf32>
  return
}

// convert F: convert to u2
func.func @convert_f32_14() {
  %x0 = stablehlo.constant dense<[1.0, 3.0, 0.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xui2>
  check.expect_eq_const %r, dense<[1, 3, 0]> : tensor<3xui2>
  return
}

// convert SI: convert from s4
func.func @convert_s4_2() {
  %x0 = stablehlo.constant dense<[1, -8, 7]> : tensor<3xi4>
  %r = stablehlo.convert %x0 : (tensor<3xi4>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, -8.0, 7.0]> : tensor<3xf32>
  return
}

// convert F: convert to s4
func.func @convert_f32_15() {
  %x0 = stablehlo.constant dense<[1.0, -8.0, 7.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[1, -8, 7]> : tensor<3xi4>
  return
}

// convert UI: convert from u4
func.func @convert_u4() {
  %x0 = stablehlo.constant dense<[1, 15, 7]> : tensor<3xui4>
  %r = stablehlo.convert %x0 : (tensor<3xui4>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[1.0, 15.0, 7.0]> : tensor<3xf32>
  return
}

// convert F: convert to u4
func.func @convert_f32_16() {
  %x0 = stablehlo.constant dense<[1.0, 15.0, 7.0]> : tensor<3xf32>
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xui4>
  check.expect_eq_const %r, dense<[1, 15, 7]> : tensor<3xui4>
  return
}
