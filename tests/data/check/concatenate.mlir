// concatenate SI
func.func @concatenate_s8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %x1 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi8>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xi8>, tensor<1x2xi8>) -> tensor<4x2xi8>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  return
}

// concatenate UI
func.func @concatenate_u32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui32>
  %x1 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xui32>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xui32>, tensor<1x2xui32>) -> tensor<4x2xui32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xui32>
  return
}

// concatenate F
func.func @concatenate_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %x1 = stablehlo.constant dense<[[7.0, 8.0]]> : tensor<1x2xbf16>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xbf16>, tensor<1x2xbf16>) -> tensor<4x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xbf16>
  return
}

// concatenate F
func.func @concatenate_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %x1 = stablehlo.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  return
}

// concatenate C
func.func @concatenate_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)]]> : tensor<3x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[(7.0, 0.0), (8.0, 0.0)]]> : tensor<1x2xcomplex<f32>>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> tensor<4x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)], [(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]> : tensor<4x2xcomplex<f32>>
  return
}

// concatenate SI: concatenate XLA
func.func @concatenate_s32() {
  %x0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[6, 7]> : tensor<2xi32>
  %r = stablehlo.concatenate %x0, %x1, %x2, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6xi32>
  check.expect_eq_const %r, dense<[2, 3, 4, 5, 6, 7]> : tensor<6xi32>
  return
}

// concatenate B: concatenate i1
func.func @concatenate_pred() {
  %x0 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %x1 = stablehlo.constant dense<[false]> : tensor<1xi1>
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// concatenate Q
func.func @concatenate_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %b_real = stablehlo.constant dense<[[7.0, 8.0, 9.0]]> : tensor<1x3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<1x3xf32>) -> tensor<1x3x!q8>
  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3x!q8>, tensor<1x3x!q8>) -> tensor<3x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13], [15, 17, 19]]> : tensor<3x3xi8>
  return
}
