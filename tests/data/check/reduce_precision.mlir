// reduce_precision F
func.func @reduce_precision_f64() {
  %x0 = stablehlo.constant dense<[0x7FF0000000000000, 0x7FF8000000000000, 5.0e-324, 0.0, 65519.0, 65520.0]> : tensor<6xf64>
  %r = stablehlo.reduce_precision %x0, format = e5m10 : tensor<6xf64>
  %expected = stablehlo.constant dense<[0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0.0, 65504.0, 0x7FF0000000000000]> : tensor<6xf64>
  check.expect_close %r, %expected, max_ulp_difference = 0 : tensor<6xf64>, tensor<6xf64>
  return
}

// reduce_precision F: reduce_precision f32
func.func @reduce_precision_f32() {
  %x0 = stablehlo.constant dense<[0x7F800000, 65519.0, 65520.0, -1.0e-30]> : tensor<4xf32>
  %r = stablehlo.reduce_precision %x0, format = e5m10 : tensor<4xf32>
  check.expect_eq_const %r, dense<[0x7F800000, 65504.0, 0x7F800000, -0.0]> : tensor<4xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reduce_precision Q
func.func @reduce_precision_q8() {
  %a_real = stablehlo.constant dense<[1.0, -2.0, 7.5]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.reduce_precision %a, format = e5m2 : tensor<3x!q8>
  check.expect_eq_const %r, dense<[3, -3, 17]> : tensor<3xi8>
  return
}
