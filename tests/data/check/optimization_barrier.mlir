// optimization_barrier F
func.func @optimization_barrier_f32() {
  %x0 = stablehlo.constant dense<0.0> : tensor<f32>
  %x1 = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.optimization_barrier %x0, %x1 : tensor<f32>, tensor<f32>
  check.expect_eq_const %r#0, dense<0.0> : tensor<f32>
  check.expect_eq_const %r#1, dense<1.0> : tensor<f32>
  return
}

// optimization_barrier SI: optimization_barrier types
func.func @optimization_barrier_s32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = stablehlo.optimization_barrier %x0 : tensor<2xi32>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi32>
  return
}

// optimization_barrier UI: optimization_barrier types
func.func @optimization_barrier_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = stablehlo.optimization_barrier %x0 : tensor<2xui8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui8>
  return
}

// optimization_barrier C: optimization_barrier types
func.func @optimization_barrier_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.optimization_barrier %x0 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// optimization_barrier B: optimization_barrier types
func.func @optimization_barrier_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.optimization_barrier %x0 : tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// optimization_barrier F: optimization_barrier f64
func.func @optimization_barrier_f64() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %r = stablehlo.optimization_barrier %x0 : tensor<2xf64>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xf64>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// optimization_barrier Q
func.func @optimization_barrier_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.optimization_barrier %a : tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13]]> : tensor<2x3xi8>
  return
}
