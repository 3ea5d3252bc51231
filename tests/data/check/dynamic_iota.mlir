// dynamic_iota SI
func.func @dynamic_iota_s32() {
  %sizes = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi32>
  return
}

// dynamic_iota UI
func.func @dynamic_iota_u16() {
  %sizes = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi64>) -> tensor<?x?xui16>
  check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xui16>
  return
}

// dynamic_iota F
func.func @dynamic_iota_f32() {
  %sizes = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  check.expect_eq_const %r, dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0, 3.0]]> : tensor<4x5xf32>
  return
}

// dynamic_iota C
func.func @dynamic_iota_c64() {
  %sizes = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi64>) -> tensor<?x?xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (2.0, 0.0), (2.0, 0.0), (2.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0), (3.0, 0.0)]]> : tensor<4x5xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_iota Q
func.func @dynamic_iota_q8() {
  %s = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?x!q8>
  check.expect_eq_const %r, dense<[[1, 3, 5, 7], [1, 3, 5, 7]]> : tensor<2x4xi8>
  return
}
