// dynamic_broadcast_in_dim B
func.func @dynamic_broadcast_in_dim_pred() {
  %operand = stablehlo.constant dense<[[true, false, true]]> : tensor<1x3xi1>
  %sizes = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%operand, %sizes) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xi1>, tensor<3xi64>) -> tensor<?x?x?xi1>
  check.expect_eq_const %r, dense<[[[true, true], [false, false], [true, true]], [[true, true], [false, false], [true, true]]]> : tensor<2x3x2xi1>
  return
}

// dynamic_broadcast_in_dim SI
func.func @dynamic_broadcast_in_dim_s32() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %sizes = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%operand, %sizes) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xi32>, tensor<3xi64>) -> tensor<?x?x?xi32>
  check.expect_eq_const %r, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi32>
  return
}

// dynamic_broadcast_in_dim UI
func.func @dynamic_broadcast_in_dim_u16() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xui16>
  %sizes = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%operand, %sizes) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xui16>, tensor<3xi64>) -> tensor<?x?x?xui16>
  check.expect_eq_const %r, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xui16>
  return
}

// dynamic_broadcast_in_dim F
func.func @dynamic_broadcast_in_dim_f32() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %sizes = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%operand, %sizes) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  check.expect_eq_const %r, dense<[[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]]> : tensor<2x3x2xf32>
  return
}

// dynamic_broadcast_in_dim C
func.func @dynamic_broadcast_in_dim_c64() {
  %operand = stablehlo.constant dense<[[(1.0, -1.0), (2.0, -2.0), (3.0, -3.0)]]> : tensor<1x3xcomplex<f32>>
  %sizes = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%operand, %sizes) {
    broadcast_dimensions = array<i64: 2, 1>,
    known_expanding_dimensions = array<i64: 0>,
    known_nonexpanding_dimensions = array<i64: 1>
  } : (tensor<1x3xcomplex<f32>>, tensor<3xi64>) -> tensor<?x?x?xcomplex<f32>>
  check.expect_eq_const %r, dense<[[[(1.0, -1.0), (1.0, -1.0)], [(2.0, -2.0), (2.0, -2.0)], [(3.0, -3.0), (3.0, -3.0)]], [[(1.0, -1.0), (1.0, -1.0)], [(2.0, -2.0), (2.0, -2.0)], [(3.0, -3.0), (3.0, -3.0)]]]> : tensor<2x3x2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_broadcast_in_dim Q
func.func @dynamic_broadcast_in_dim_q8() {
  %s = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 2] : (tensor<2x3x!q8>, tensor<3xi64>) -> tensor<?x?x?x!q8>
  check.expect_eq_const %r, dense<[[[3, 5, 7], [3, 5, 7]], [[9, -9, 13], [9, -9, 13]]]> : tensor<2x2x3xi8>
  return
}
