// select SI
func.func @select_s32() {
  %x0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %x2 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>
  return
}

// select UI
func.func @select_u8() {
  %x0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %x2 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xui8>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xui8>
  check.expect_eq_const %r, dense<[[5, 2], [3, 8]]> : tensor<2x2xui8>
  return
}

// select F
func.func @select_f32() {
  %x0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %x2 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[5.0, 2.0], [3.0, 8.0]]> : tensor<2x2xf32>
  return
}

// select C
func.func @select_c64() {
  %x0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %x2 = stablehlo.constant dense<[[(5.0, 0.0), (6.0, 0.0)], [(7.0, 0.0), (8.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(5.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (8.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// select F
func.func @select_f16() {
  %x0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %x2 = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf16>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xf16>
  check.expect_eq_const %r, dense<[[5.0, 2.0], [3.0, 8.0]]> : tensor<2x2xf16>
  return
}

// select SI: select XLA
func.func @select_pred() {
  %x0 = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>
  %x1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %x2 = stablehlo.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<4xi1>, tensor<4xi32>
  check.expect_eq_const %r, dense<[1, 200, 300, 4]> : tensor<4xi32>
  return
}

// select SI: select scalar
func.func @select_pred_2() {
  %x0 = stablehlo.constant dense<true> : tensor<i1>
  %x1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %x2 = stablehlo.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<i1>, tensor<4xi32>
  check.expect_eq_const %r, dense<[1, 2, 3, 4]> : tensor<4xi32>
  return
}

// select B: select i1
func.func @select_pred_3() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %x2 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2xi1>, tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// select Q
func.func @select_q8() {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %a_real = stablehlo.constant dense<[-2.0, 0.5, 3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<3xf32>) -> tensor<3x!q8>
  %b_real = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<3xf32>) -> tensor<3x!q8>
  %r = stablehlo.select %p, %a, %b : tensor<3xi1>, tensor<3x!q8>
  check.expect_eq_const %r, dense<[-3, 5, 7]> : tensor<3xi8>
  return
}
