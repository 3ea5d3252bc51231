// broadcast F: Broadcast XLA
func.func @broadcast_f32() {
  %x0 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = stablehlo.broadcast %x0, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %r, dense<2.0> : tensor<2x3xf32>
  return
}

// broadcast SI: broadcast types
func.func @broadcast_s32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = stablehlo.broadcast %x0, sizes = [2] : (tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[0, 1], [0, 1]]> : tensor<2x2xi32>
  return
}

// broadcast UI: broadcast types
func.func @broadcast_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = stablehlo.broadcast %x0, sizes = [2] : (tensor<2xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %r, dense<[[0, 1], [0, 1]]> : tensor<2x2xui8>
  return
}

// broadcast C: broadcast types
func.func @broadcast_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.broadcast %x0, sizes = [2] : (tensor<2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// broadcast B: broadcast types
func.func @broadcast_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.broadcast %x0, sizes = [2] : (tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %r, dense<[[false, true], [false, true]]> : tensor<2x2xi1>
  return
}
