// chlo_ragged_dot F: ragged_dot rows
func.func @chlo_ragged_dot_f32() {
  %x0 = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %x1 = stablehlo.constant dense<[[[1.0, 10.0]], [[2.0, 20.0]]]> : tensor<2x1x2xf32>
  %x2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x1xf32>, tensor<2x1x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 10.0], [4.0, 40.0], [6.0, 60.0], [0.0, 0.0]]> : tensor<4x2xf32>
  return
}

// chlo_ragged_dot F: ragged_dot rows
func.func @chlo_ragged_dot_bf16() {
  %x0 = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xbf16>
  %x1 = stablehlo.constant dense<[[[1.0, 10.0]], [[2.0, 20.0]]]> : tensor<2x1x2xbf16>
  %x2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x1xbf16>, tensor<2x1x2xbf16>, tensor<2xi32>) -> tensor<4x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 10.0], [4.0, 40.0], [6.0, 60.0], [0.0, 0.0]]> : tensor<4x2xbf16>
  return
}

// chlo_ragged_dot F: ragged_dot contraction
func.func @chlo_ragged_dot_f32_2() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %x1 = stablehlo.constant dense<[[1.0], [10.0], [100.0], [1000.0]]> : tensor<4x1xf32>
  %x2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>}> : (tensor<1x4xf32>, tensor<4x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %r, dense<[[[1.0]], [[320.0]]]> : tensor<2x1x1xf32>
  return
}

// chlo_ragged_dot F: ragged_dot batch
func.func @chlo_ragged_dot_f32_3() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %x2 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %r = "chlo.ragged_dot"(%x0, %x1, %x2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1xi32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[21.0, 4300.0]> : tensor<2xf32>
  return
}
