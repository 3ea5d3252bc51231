// chlo_sinh F: sinh f64
func.func @chlo_sinh_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.sinh %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0xFFF0000000000000, -399951088.7377527, -10.017874927409903, -2.1292794550948173, -1.1752011936438014, -0.82231673193583, -0.5210953054937474, -0.0, 0.0, 0.12532577524111546, 0.5210953054937474, 0.82231673193583, 1.1752011936438014, 2.1292794550948173, 3.6268604078470186, 10.017874927409903, 399951088.7377527, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_sinh F: sinh f32
func.func @chlo_sinh_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.sinh %x0 : tensor<19xf32> -> tensor<19xf32>
  check.expect_almost_eq_const %r, dense<[0xFF800000, -399951104.0, -10.017874717712402, -2.129279375076294, -1.175201177597046, -0.8223167061805725, -0.5210952758789062, -0.0, 0.0, 0.1253257691860199, 0.5210952758789062, 0.8223167061805725, 1.175201177597046, 2.129279375076294, 3.6268603801727295, 10.017874717712402, 399951104.0, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 8.00e+02
  return
}

// chlo_sinh F: sinh f16
func.func @chlo_sinh_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C00, 0x7E00]> : tensor<17xf16>
  %r = chlo.sinh %x0 : tensor<17xf16> -> tensor<17xf16>
  %expected = stablehlo.constant dense<[0xFC00, -10.015625, -2.12890625, -1.1748046875, -0.822265625, -0.52099609375, -0.0, 0.0, 0.1253662109375, 0.52099609375, 0.822265625, 1.1748046875, 2.12890625, 3.626953125, 10.015625, 0x7C00, 0x7E00]> : tensor<17xf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<17xf16>, tensor<17xf16>
  return
}

// chlo_sinh F: sinh bf16
func.func @chlo_sinh_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %r = chlo.sinh %x0 : tensor<17xbf16> -> tensor<17xbf16>
  %expected = stablehlo.constant dense<[0xFF80, -10.0, -2.125, -1.171875, -0.82421875, -0.51953125, -0.0, 0.0, 0.125, 0.51953125, 0.82421875, 1.171875, 2.125, 3.625, 10.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xbf16>, tensor<17xbf16>
  return
}

// chlo_sinh F: sinh f8e5m2
func.func @chlo_sinh_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  %r = chlo.sinh %x0 : tensor<17xf8E5M2> -> tensor<17xf8E5M2>
  %expected = stablehlo.constant dense<[0xFC, -10.0, -2.0, -1.25, -0.875, -0.5, -0.0, 0.0, 0.125, 0.5, 0.875, 1.25, 2.0, 3.5, 10.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xf8E5M2>, tensor<17xf8E5M2>
  return
}

// chlo_sinh C: sinh c64
func.func @chlo_sinh_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.sinh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(0.504895714387995, 0.2789791283502615), (0.2168521629207897, 1.0253473885839877), (0.7086364390220189, -10.042442367612491), (-3.598562436032225, -0.4690507447289042), (0.0005403024215815238, 0.8414714055434639)]> : tensor<5xcomplex<f32>>, tolerance = 2.11e-05
  return
}

// chlo_sinh C: sinh c128
func.func @chlo_sinh_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.sinh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(0.504895714387995, 0.2789791283502615), (0.2168521629207897, 1.0253473885839877), (0.7086364390220189, -10.042442367612491), (-3.598562436032225, -0.4690507447289042), (0.0005403023959185285, 0.8414714055434239)]> : tensor<5xcomplex<f64>>, tolerance = 4.42e-14
  return
}
