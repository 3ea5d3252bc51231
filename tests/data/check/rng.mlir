// rng SI
func.func @rng_s32() {
  %x0 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<64x64xi32>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}

// rng UI: rng u64
func.func @rng_u64() {
  %x0 = stablehlo.constant dense<0> : tensor<ui64>
  %x1 = stablehlo.constant dense<2> : tensor<ui64>
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<ui64>, tensor<ui64>, tensor<2xi64>) -> tensor<64x64xui64>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<ui64>) -> tensor<64x64xui64>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<ui64>) -> tensor<64x64xui64>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xui64>, tensor<64x64xui64>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xui64>, tensor<64x64xui64>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}

// rng F: rng f32
func.func @rng_f32() {
  %x0 = stablehlo.constant dense<0.0> : tensor<f32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x64xf32>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}

// rng F: rng f64
func.func @rng_f64() {
  %x0 = stablehlo.constant dense<0.0> : tensor<f64>
  %x1 = stablehlo.constant dense<2.0> : tensor<f64>
  %n = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %v = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<64x64xf64>
  %lo = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<f64>) -> tensor<64x64xf64>
  %hi = stablehlo.broadcast_in_dim %x1, dims = [] : (tensor<f64>) -> tensor<64x64xf64>
  %p = stablehlo.compare GE, %v, %lo : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xi1>
  %q = stablehlo.compare LT, %v, %hi : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xi1>
  %pq = stablehlo.and %p, %q : tensor<64x64xi1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.reduce(%pq init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x64xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}

// rng B: rng i1
func.func @rng_pred() {
  %x0 = stablehlo.constant dense<false> : tensor<i1>
  %x1 = stablehlo.constant dense<true> : tensor<i1>
  %n = stablehlo.constant dense<4> : tensor<1xi64>
  %r = stablehlo.rng %x0, %x1, %n, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<1xi64>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<false> : tensor<4xi1>
  return
}

// rng F: rng normal
func.func @rng_f32_2() {
  %x0 = stablehlo.constant dense<3.0> : tensor<f32>
  %x1 = stablehlo.constant dense<2.0> : tensor<f32>
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
  check.expect_eq_const %r, dense<true> : tensor<i1>
  return
}
