// triangular_solve F
func.func @triangular_solve_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %x1 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %r = "stablehlo.triangular_solve"(%x0, %x1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<3x3xf32>
  %above = stablehlo.add %r, %one : tensor<3x3xf32>
  check.expect_almost_eq_const %above, dense<[[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]]> : tensor<3x3xf32>, tolerance = 1.00e-06
  return
}

// triangular_solve F
func.func @triangular_solve_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf64>
  %x1 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf64>
  %r = "stablehlo.triangular_solve"(%x0, %x1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<1.0> : tensor<3x3xf64>
  %above = stablehlo.add %r, %one : tensor<3x3xf64>
  check.expect_almost_eq_const %above, dense<[[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]]> : tensor<3x3xf64>, tolerance = 1.00e-06
  return
}

// triangular_solve C
func.func @triangular_solve_c64() {
  %x0 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(2.0, 0.0), (4.0, 0.0), (0.0, 0.0)], [(3.0, 0.0), (5.0, 0.0), (6.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(4.0, 0.0), (8.0, 0.0), (0.0, 0.0)], [(6.0, 0.0), (10.0, 0.0), (12.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %r = "stablehlo.triangular_solve"(%x0, %x1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  // Checks tell -0.1 from 0.1 at any tolerance.
  %one = stablehlo.constant dense<(1.0, 1.0)> : tensor<3x3xcomplex<f32>>
  %above = stablehlo.add %r, %one : tensor<3x3xcomplex<f32>>
  check.expect_almost_eq_const %above, dense<[[(3.0, 1.0), (1.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (3.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (1.0, 1.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f32>>, tolerance = 1.00e-06
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// triangular_solve Q
func.func @triangular_solve_q8() {
  %a_real = stablehlo.constant dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x2xf32>) -> tensor<2x2x!q8>
  %b_real = stablehlo.constant dense<[[4.0], [5.0]]> : tensor<2x1xf32>
  %b = stablehlo.uniform_quantize %b_real : (tensor<2x1xf32>) -> tensor<2x1x!q8>
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2x!q8>, tensor<2x1x!q8>) -> tensor<2x1x!q8>
  check.expect_eq_const %r, dense<[[5], [3]]> : tensor<2x1xi8>
  return
}
