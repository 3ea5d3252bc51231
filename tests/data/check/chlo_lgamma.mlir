// chlo_lgamma F: lgamma f64
func.func @chlo_lgamma_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.lgamma %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF0000000000000, -42.70719597482576, 0x7FF0000000000000, 0.860047015376481, 0x7FF0000000000000, 1.5757045971498584, 1.2655121234846454, 0x7FF0000000000000, 0x7FF0000000000000, 2.0194183575537963, 0.5723649429247001, 0.20328095143129538, 0.0, -0.12078223763524522, 0.0, 0.6931471805599453, 40.8315009745308, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_lgamma F: lgamma f32
func.func @chlo_lgamma_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.lgamma %x0 : tensor<19xf32> -> tensor<19xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<19xf32>
  %above = stablehlo.add %r, %one : tensor<19xf32>
  check.expect_almost_eq_const %above, dense<[0x7F800000, -41.70719528198242, 0x7F800000, 1.8600470423698425, 0x7F800000, 2.575704574584961, 2.2655121088027954, 0x7F800000, 0x7F800000, 3.019418239593506, 1.5723649263381958, 1.2032809555530548, 1.0, 0.8792177587747574, 1.0, 1.6931471824645996, 41.83150100708008, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 8.54e-05
  return
}

// chlo_lgamma F: lgamma bf16
func.func @chlo_lgamma_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %r = chlo.lgamma %x0 : tensor<17xbf16> -> tensor<17xbf16>
  %expected = stablehlo.constant dense<[0x7F80, 0x7F80, 0.859375, 0x7F80, 1.578125, 1.265625, 0x7F80, 0x7F80, 2.015625, 0.57421875, 0.203125, 0.0, -0.12060546875, 0.0, 0.69140625, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xbf16>, tensor<17xbf16>
  return
}
