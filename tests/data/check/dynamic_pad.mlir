// dynamic_pad B
func.func @dynamic_pad_pred() {
  %operand = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %value = stablehlo.constant dense<false> : tensor<i1>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi1>
  check.expect_eq_const %r, dense<[[false, true, false, false, false, false, false, true, false], [false, false, false, false, false, false, false, false, false], [false, false, false, false, true, false, false, false, false], [false, false, false, false, false, false, false, false, false], [false, false, false, false, false, false, false, false, false]]> : tensor<5x9xi1>
  return
}

// dynamic_pad SI
func.func @dynamic_pad_s32() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>
  check.expect_eq_const %r, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>
  return
}

// dynamic_pad UI
func.func @dynamic_pad_u16() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xui16>
  %value = stablehlo.constant dense<0> : tensor<ui16>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xui16>, tensor<ui16>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xui16>
  check.expect_eq_const %r, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xui16>
  return
}

// dynamic_pad F
func.func @dynamic_pad_f32() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %value = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  check.expect_eq_const %r, dense<[[0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<5x9xf32>
  return
}

// dynamic_pad C
func.func @dynamic_pad_c64() {
  %operand = stablehlo.constant dense<[[(1.0, -1.0), (2.0, -2.0), (3.0, -3.0)], [(4.0, -4.0), (5.0, -5.0), (6.0, -6.0)]]> : tensor<2x3xcomplex<f32>>
  %value = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (1.0, -1.0), (0.0, 0.0), (0.0, 0.0), (2.0, -2.0), (0.0, 0.0), (0.0, 0.0), (3.0, -3.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (4.0, -4.0), (0.0, 0.0), (0.0, 0.0), (5.0, -5.0), (0.0, 0.0), (0.0, 0.0), (6.0, -6.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<5x9xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_pad Q
func.func @dynamic_pad_q8() {
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %v_real = stablehlo.constant dense<9.0> : tensor<f32>
  %v = stablehlo.uniform_quantize %v_real : (tensor<f32>) -> tensor<!q8>
  %r = stablehlo.dynamic_pad %a, %v, %low, %high, %interior : (tensor<2x3x!q8>, tensor<!q8>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x!q8>
  check.expect_eq_const %r, dense<[[19, 3, 19, 5, 19, 7], [19, 9, 19, -9, 19, 13], [19, 19, 19, 19, 19, 19]]> : tensor<3x6xi8>
  return
}
