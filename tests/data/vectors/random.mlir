// vector: rng
// ops: rng
// input: s32[] 0
// input: s32[] 2
// expect: pred[] true
func.func @main(%x0: tensor<i32>, %x1: tensor<i32>) -> tensor<i1> {
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<64x64xi32>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: rng u64
// ops: rng
// input: u64[] 0
// input: u64[] 2
// expect: pred[] true
func.func @main(%x0: tensor<ui64>, %x1: tensor<ui64>) -> tensor<i1> {
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<ui64>, tensor<ui64>, tensor<2xi64>) -> tensor<64x64xui64>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<ui64>) -> tensor<64x64xui64>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<ui64>) -> tensor<64x64xui64>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xui64>, tensor<64x64xui64>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xui64>, tensor<64x64xui64>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: rng f32
// ops: rng
// input: f32[] 0
// input: f32[] 2
// expect: pred[] true
func.func @main(%x0: tensor<f32>, %x1: tensor<f32>) -> tensor<i1> {
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: rng f64
// ops: rng
// input: f64[] 0
// input: f64[] 2
// expect: pred[] true
func.func @main(%x0: tensor<f64>, %x1: tensor<f64>) -> tensor<i1> {
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<64x64xf64>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<f64>) -> tensor<64x64xf64>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f64>) -> tensor<64x64xf64>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: rng i1
// ops: rng
// input: pred[] false
// input: pred[] true
// expect: pred[4] 0
func.func @main(%x0: tensor<i1>, %x1: tensor<i1>) -> tensor<4xi1> {
  %n = stablehlo.constant dense<4> : tensor<1xi64>
  %r = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<1xi64>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: rng normal
// ops: rng
// input: f32[] 3
// input: f32[] 2
// expect: pred[] true
func.func @main(%x0: tensor<f32>, %x1: tensor<f32>) -> tensor<i1> {
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %k = stablehlo.constant dense<4096.0> : tensor<f32>
  %m = stablehlo.divide %s, %k : tensor<f32>
  %d = stablehlo.subtract %m, %x0 : tensor<f32>
  %a = stablehlo.abs %d : tensor<f32>
  %e = stablehlo.constant dense<0.2> : tensor<f32>
  %r = stablehlo.compare LT, %a, %e : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: rng_bit_generator
// ops: rng_bit_generator
// input: u64[2] {1,2}
// expect: u64[2] {1,6}
// expect: u64[2,2] {{9236835810183407956,16087790271692313299},{18212823393184779219,2658481902456610144}}
func.func @main(%x0: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>) {
  %r:2 = stablehlo.rng_bit_generator %x0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  return %r#0, %r#1 : tensor<2xui64>, tensor<2x2xui64>
}
