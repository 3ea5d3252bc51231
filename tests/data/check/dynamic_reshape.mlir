// dynamic_reshape B
func.func @dynamic_reshape_pred() {
  %operand = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xi1>, tensor<2xi64>) -> tensor<?x?xi1>
  check.expect_eq_const %r, dense<[[true, false], [true, false], [true, false]]> : tensor<3x2xi1>
  return
}

// dynamic_reshape SI
func.func @dynamic_reshape_s32() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

// dynamic_reshape UI
func.func @dynamic_reshape_u16() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui16>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xui16>, tensor<2xi64>) -> tensor<?x?xui16>
  check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xui16>
  return
}

// dynamic_reshape F
func.func @dynamic_reshape_f32() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  return
}

// dynamic_reshape C
func.func @dynamic_reshape_c64() {
  %operand = stablehlo.constant dense<[[(1.0, -1.0), (2.0, -2.0), (3.0, -3.0)], [(4.0, -4.0), (5.0, -5.0), (6.0, -6.0)]]> : tensor<2x3xcomplex<f32>>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %operand, %shape : (tensor<2x3xcomplex<f32>>, tensor<2xi64>) -> tensor<?x?xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(1.0, -1.0), (2.0, -2.0)], [(3.0, -3.0), (4.0, -4.0)], [(5.0, -5.0), (6.0, -6.0)]]> : tensor<3x2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_reshape Q
func.func @dynamic_reshape_q8() {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.dynamic_reshape %a, %s : (tensor<2x3x!q8>, tensor<2xi64>) -> tensor<?x?x!q8>
  check.expect_eq_const %r, dense<[[3, 5], [7, 9], [-9, 13]]> : tensor<3x2xi8>
  return
}
