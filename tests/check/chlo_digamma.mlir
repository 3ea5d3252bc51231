// chlo_digamma F: digamma f64
func.func @chlo_digamma_f64() {
  %x0 = stablehlo.constant dense<[0xFFF0000000000000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  %r = chlo.digamma %x0 : tensor<19xf64> -> tensor<19xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 3.044616882512525, 0x7FF8000000000000, 0.7031566406452432, 0x7FF8000000000000, -2.894120200042932, 0.03648997397857652, 0x7FF8000000000000, 0x7FF8000000000000, -8.388492663295855, -1.9635100260214235, -1.0858608797864722, -0.5772156649015329, 0.03648997397857652, 0.42278433509846713, 0.9227843350984671, 2.9958363947076467, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<19xf64>
  check.expect_close %r, %expected, max_ulp_difference = 37 : tensor<19xf64>, tensor<19xf64>
  return
}

// chlo_digamma F: digamma f32
func.func @chlo_digamma_f32() {
  %x0 = stablehlo.constant dense<[0xFF800000, -20.5, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 20.5, 0x7F800000, 0x7FC00000]> : tensor<19xf32>
  %r = chlo.digamma %x0 : tensor<19xf32> -> tensor<19xf32>
  check.expect_almost_eq_const %r, dense<[0x7FC00000, 3.044616937637329, 0x7FC00000, 0.7031566500663757, 0x7FC00000, -2.894120216369629, 0.036489974707365036, 0x7FC00000, 0x7FC00000, -8.388492584228516, -1.9635100364685059, -1.0858608484268188, -0.5772156715393066, 0.036489974707365036, 0.42278432846069336, 0.9227843284606934, 2.9958364963531494, 0x7F800000, 0x7FC00000]> : tensor<19xf32>, tolerance = 1.68e-05
  return
}

// chlo_digamma F: digamma f16
func.func @chlo_digamma_f16() {
  %x0 = stablehlo.constant dense<[0xFC00, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C00, 0x7E00]> : tensor<17xf16>
  %r = chlo.digamma %x0 : tensor<17xf16> -> tensor<17xf16>
  %expected = stablehlo.constant dense<[0x7E00, 0x7E00, 0.703125, 0x7E00, -2.89453125, 0.0364990234375, 0x7E00, 0x7E00, -8.390625, -1.9638671875, -1.0859375, -0.5771484375, 0.0364990234375, 0.4228515625, 0.9228515625, 0x7C00, 0x7E00]> : tensor<17xf16>
  check.expect_close %r, %expected, max_ulp_difference = 5 : tensor<17xf16>, tensor<17xf16>
  return
}

// chlo_digamma F: digamma bf16
func.func @chlo_digamma_bf16() {
  %x0 = stablehlo.constant dense<[0xFF80, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  %r = chlo.digamma %x0 : tensor<17xbf16> -> tensor<17xbf16>
  %expected = stablehlo.constant dense<[0x7FC0, 0x7FC0, 0.703125, 0x7FC0, -2.890625, 0.036376953125, 0x7FC0, 0x7FC0, -8.375, -1.9609375, -1.0859375, -0.578125, 0.036376953125, 0.421875, 0.921875, 0x7F80, 0x7FC0]> : tensor<17xbf16>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xbf16>, tensor<17xbf16>
  return
}

// chlo_digamma F: digamma f8e5m2
func.func @chlo_digamma_f8e5m2() {
  %x0 = stablehlo.constant dense<[0xFC, -3.0, -1.5, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  %r = chlo.digamma %x0 : tensor<17xf8E5M2> -> tensor<17xf8E5M2>
  %expected = stablehlo.constant dense<[0x7E, 0x7E, 0.75, 0x7E, -3.0, 0.0390625, 0x7E, 0x7E, -8.0, -2.0, -1.0, -0.625, 0.0390625, 0.4375, 0.875, 0x7C, 0x7E]> : tensor<17xf8E5M2>
  check.expect_close %r, %expected, max_ulp_difference = 3 : tensor<17xf8E5M2>, tensor<17xf8E5M2>
  return
}
