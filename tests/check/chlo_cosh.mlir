// chlo_cosh F: cosh f64
func.func @chlo_cosh_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.cosh %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF0000000000000, 399951088.7377527, 10.067661995777765, 2.352409615243247, 1.5430806348152437, 1.2946832846768448, 1.1276259652063807, 1.0, 1.0, 1.0078226778257109, 1.1276259652063807, 1.2946832846768448, 1.5430806348152437, 2.352409615243247, 3.7621956910836314, 10.067661995777765, 399951088.7377527, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_cosh F: cosh f32
func.func @chlo_cosh_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.cosh %x0 : tensor<19xf32> -> tensor<19xf32>
  check.expect_almost_eq_const %r, dense<[0x7F800000, 399951104.0, 10.067662239074707, 2.352409601211548, 1.5430806875228882, 1.2946833372116089, 1.1276259422302246, 1.0, 1.0, 1.0078226327896118, 1.1276259422302246, 1.2946833372116089, 1.5430806875228882, 2.352409601211548, 3.762195587158203, 10.067662239074707, 399951104.0, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 8.00e+02
  return
}

// chlo_cosh F: cosh f16
func.func @chlo_cosh_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C00, 0x7E00]> : tensor<17xf16>
  %r = chlo.cosh %x0 : tensor<17xf16> -> tensor<17xf16>
  %expected = stablehlo.constant dense<[0x7C00, 10.0703125, 2.3515625, 1.54296875, 1.294921875, 1.1279296875, 1.0, 1.0, 1.0078125, 1.1279296875, 1.294921875, 1.54296875, 2.3515625, 3.76171875, 10.0703125, 0x7C00, 0x7E00]> : tensor<17xf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<17xf16>, tensor<17xf16>
  return
}

// chlo_cosh F: cosh bf16
func.func @chlo_cosh_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %r = chlo.cosh %x0 : tensor<17xbf16> -> tensor<17xbf16>
  %expected = stablehlo.constant dense<[0x7F80, 10.0625, 2.359375, 1.546875, 1.296875, 1.125, 1.0, 1.0, 1.0078125, 1.125, 1.296875, 1.546875, 2.359375, 3.765625, 10.0625, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xbf16>, tensor<17xbf16>
  return
}

// chlo_cosh F: cosh f8e5m2
func.func @chlo_cosh_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  %r = chlo.cosh %x0 : tensor<17xf8E5M2> -> tensor<17xf8E5M2>
  %expected = stablehlo.constant dense<[0x7C, 10.0, 2.5, 1.5, 1.25, 1.25, 1.0, 1.0, 1.0, 1.25, 1.25, 1.5, 2.5, 4.0, 10.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xf8E5M2>, tensor<17xf8E5M2>
  return
}

// chlo_cosh C: cosh c64
func.func @chlo_cosh_c64() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.0010000000474974513, 1.0)]> : tensor<5xcomplex<f32>>
  %r = chlo.cosh %x0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
  check.expect_almost_eq_const %r, dense<[(1.0925708047319176, 0.12892104172809826), (-0.4692579782290534, -0.473830620416407), (0.7121582369176002, -9.992780016517832), (3.7328417883534124, 0.45217785437376523), (0.5403025760193408, 0.0008414711650208147)]> : tensor<5xcomplex<f32>>, tolerance = 2.10e-05
  return
}

// chlo_cosh C: cosh c128
func.func @chlo_cosh_c128() {
  %x0 = stablehlo.constant dense<[(0.5, 0.25), (-0.5, 2.0), (3.0, -1.5), (-2.0, -0.125), (0.001, 1.0)]> : tensor<5xcomplex<f64>>
  %r = chlo.cosh %x0 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[(1.0925708047319176, 0.12892104172809826), (-0.4692579782290534, -0.473830620416407), (0.7121582369176002, -9.992780016517832), (3.7328417883534124, 0.45217785437376523), (0.5403025760193152, 0.0008414711250530677)]> : tensor<5xcomplex<f64>>, tolerance = 4.40e-14
  return
}
