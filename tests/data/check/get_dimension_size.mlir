// get_dimension_size F
func.func @get_dimension_size_f32() {
  %x0 = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r = stablehlo.get_dimension_size %x0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  check.expect_eq_const %r, dense<3> : tensor<i32>
  return
}

// get_dimension_size SI: get_dimension_size types
func.func @get_dimension_size_s8() {
  %x0 = stablehlo.constant dense<1> : tensor<2x3xi8>
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xi8>) -> tensor<i32>
  check.expect_eq_const %r, dense<2> : tensor<i32>
  return
}

// get_dimension_size UI: get_dimension_size types
func.func @get_dimension_size_u8() {
  %x0 = stablehlo.constant dense<1> : tensor<2x3xui8>
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xui8>) -> tensor<i32>
  check.expect_eq_const %r, dense<2> : tensor<i32>
  return
}

// get_dimension_size B: get_dimension_size types
func.func @get_dimension_size_pred() {
  %x0 = stablehlo.constant dense<true> : tensor<2x3xi1>
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xi1>) -> tensor<i32>
  check.expect_eq_const %r, dense<2> : tensor<i32>
  return
}

// get_dimension_size C: get_dimension_size complex
func.func @get_dimension_size_c64() {
  %x0 = stablehlo.constant dense<(1.0, 0.0)> : tensor<2x3xcomplex<f32>>
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xcomplex<f32>>) -> tensor<i32>
  check.expect_eq_const %r, dense<2> : tensor<i32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// get_dimension_size Q
func.func @get_dimension_size_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3x!q8>) -> tensor<i32>
  check.expect_eq_const %r, dense<3> : tensor<i32>
  return
}
