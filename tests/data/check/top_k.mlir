// top_k F: TopK
func.func @top_k_f32() {
  %x0 = stablehlo.constant dense<[[0.1, 0.3, 0.1], [0.7, 0.2, -0.1]]> : tensor<2x3xf32>
  %r:2 = chlo.top_k(%x0, k = 1) : tensor<2x3xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
  check.expect_eq_const %r#0, dense<[[0.3], [0.7]]> : tensor<2x1xf32>
  check.expect_eq_const %r#1, dense<[[1], [0]]> : tensor<2x1xi32>
  return
}

// top_k SI: top_k types
func.func @top_k_s8() {
  %x0 = stablehlo.constant dense<[3, 1, 3, 2]> : tensor<4xi8>
  %r:2 = chlo.top_k(%x0, k = 2) : tensor<4xi8> -> (tensor<2xi8>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[3, 3]> : tensor<2xi8>
  check.expect_eq_const %r#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// top_k UI: top_k types
func.func @top_k_u32() {
  %x0 = stablehlo.constant dense<[3, 1, 3, 2]> : tensor<4xui32>
  %r:2 = chlo.top_k(%x0, k = 2) : tensor<4xui32> -> (tensor<2xui32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[3, 3]> : tensor<2xui32>
  check.expect_eq_const %r#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// top_k F: top_k types
func.func @top_k_f16() {
  %x0 = stablehlo.constant dense<[3.0, 1.0, 3.0, 2.0]> : tensor<4xf16>
  %r:2 = chlo.top_k(%x0, k = 2) : tensor<4xf16> -> (tensor<2xf16>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[3.0, 3.0]> : tensor<2xf16>
  check.expect_eq_const %r#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// top_k F: top_k types
func.func @top_k_f64() {
  %x0 = stablehlo.constant dense<[3.0, 1.0, 3.0, 2.0]> : tensor<4xf64>
  %r:2 = chlo.top_k(%x0, k = 2) : tensor<4xf64> -> (tensor<2xf64>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[3.0, 3.0]> : tensor<2xf64>
  check.expect_eq_const %r#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// top_k F: the order tells NaNs apart
func.func @top_k_nans_f16() {
  %x0 = stablehlo.constant dense<[0x7C01, 0x7E00, 0x7C00, 0xFE00]> : tensor<4xf16>
  %r:2 = chlo.top_k(%x0, k = 3) : tensor<4xf16> -> (tensor<3xf16>, tensor<3xi32>)
  check.expect_eq_const %r#1, dense<[1, 0, 2]> : tensor<3xi32>
  return
}
