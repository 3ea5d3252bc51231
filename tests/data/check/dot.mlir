// dot F: dot vector vector
func.func @dot_f32() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %x1 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r = stablehlo.dot %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<32.0> : tensor<f32>
  return
}

// dot SI: dot matrix vector
func.func @dot_s32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[5, 11]> : tensor<2xi32>
  return
}

// dot UI: dot matrix vector
func.func @dot_u8() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[5, 11]> : tensor<2xui8>
  return
}

// dot C: dot matrix vector
func.func @dot_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(5.0, 0.0), (11.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// dot F: dot matrix matrix
func.func @dot_f32_2() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = stablehlo.dot %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[7.0, 10.0], [15.0, 22.0]]> : tensor<2x2xf32>
  return
}
