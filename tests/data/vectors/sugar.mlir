// vector: Broadcast XLA
// ops: broadcast
// input: f32[] 2
// expect: f32[2,3] 2
func.func @main(%x0: tensor<f32>) -> tensor<2x3xf32> {
  %r = stablehlo.broadcast %x0, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// vector: broadcast types
// ops: broadcast
// types: s32 u8 c64 pred
// input: ELT[2] {0,1}
// expect: ELT[2,2] {{0,1},{0,1}}
func.func @main(%x0: tensor<2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.broadcast %x0, sizes = [2] : (tensor<2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: dot vector vector
// ops: dot
// input: f32[3] {1,2,3}
// input: f32[3] {4,5,6}
// expect: f32[] 32
func.func @main(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<f32> {
  %r = stablehlo.dot %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// vector: dot matrix vector
// ops: dot
// types: s32 u8 c64
// input: ELT[2,2] {{1,2},{3,4}}
// input: ELT[2] {1,2}
// expect: ELT[2] {5,11}
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2xELT>) -> tensor<2xELT> {
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xELT>, tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: dot matrix matrix
// ops: dot
// input: f32[2,2] {{1,2},{3,4}}
// input: f32[2,2] {{1,2},{3,4}}
// expect: f32[2,2] {{7,10},{15,22}}
func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: einsum
// ops: einsum
// input: f32[2,2] {{1,2},{3,4}}
// input: f32[2,2] {{1,2},{3,4}}
// expect: f32[2,2] {{7,10},{15,22}}
func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = stablehlo.einsum %x0, %x1, config = "ab,bc->ac" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: unary_einsum
// ops: unary_einsum
// input: f32[2,2] {{1,2},{3,4}}
// expect: f32[2] {3,7}
func.func @main(%x0: tensor<2x2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.unary_einsum"(%x0) {einsum_config = "ab->a"} : (tensor<2x2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: torch_index_select
// ops: torch_index_select
// input: f32[3,2] {{1,2},{3,4},{5,6}}
// input: s64[2] {2,0}
// expect: f32[2,2] {{5,6},{1,2}}
func.func @main(%x0: tensor<3x2xf32>, %x1: tensor<2xi64>) -> tensor<2x2xf32> {
  %r = "stablehlo.torch_index_select"(%x0, %x1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: Erf
// ops: erf
// input: f32[3] {-1,0,1}
// expect: f32[3] {-0.84270079, 0, 0.84270079}
// rtol: 5e-07
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf32> {
  %r = chlo.erf %x0 : tensor<3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: erf f64
// ops: erf
// input: f64[3] {-1,0,1}
// expect: f64[3] {-0.84270079294971489, 0, 0.84270079294971489}
// rtol: 1e-15
func.func @main(%x0: tensor<3xf64>) -> tensor<3xf64> {
  %r = chlo.erf %x0 : tensor<3xf64> -> tensor<3xf64>
  return %r : tensor<3xf64>
}
// -----
// vector: set_dimension_size full
// ops: set_dimension_size
// input: s32[10] {1,2,3,4,5,6,7,8,9,10}
// expect: s32[] 55
// expect: s32[] 3628800
func.func @main(%x0: tensor<10xi32>) -> (tensor<i32>, tensor<i32>) {
  %n = stablehlo.constant dense<10> : tensor<i32>
  %v = stablehlo.set_dimension_size %x0, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<10xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %p = stablehlo.reduce(%v init: %o) applies stablehlo.multiply across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  return %s, %p : tensor<i32>, tensor<i32>
}
// -----
// vector: XLA broadcasting matrix and vector
// ops: broadcast_in_dim add
// input: f32[2,3] {{1,2,3},{4,5,6}}
// input: f32[3] {7,8,9}
// expect: f32[2,3] {{8,10,12},{11,13,15}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %r = stablehlo.add %x0, %b : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// vector: XLA broadcasting scalar
// ops: broadcast_in_dim add
// input: f32[2,3] {{1,2,3},{4,5,6}}
// input: f32[] 7
// expect: f32[2,3] {{8,9,10},{11,12,13}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<f32>) -> tensor<2x3xf32> {
  %b = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %r = stablehlo.add %x0, %b : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
// vector: XLA broadcasting vector and row
// ops: broadcast_in_dim add
// input: f32[4] {1,2,3,4}
// input: f32[1,2] {{5,6}}
// expect: f32[4,2] {{6,7},{7,8},{8,9},{9,10}}
func.func @main(%x0: tensor<4xf32>, %x1: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %a = stablehlo.broadcast_in_dim %x0, dims = [0] : (tensor<4xf32>) -> tensor<4x2xf32>
  %b = stablehlo.broadcast_in_dim %x1, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<4x2xf32>
  %r = stablehlo.add %a, %b : tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
