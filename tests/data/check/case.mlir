// case SI
func.func @case_s32() {
  %x0 = stablehlo.constant dense<-1> : tensor<i32>
  %r:2 = "stablehlo.case"(%x0) ({
    %a = stablehlo.constant dense<0> : tensor<2xi64>
    stablehlo.return %a, %a : tensor<2xi64>, tensor<2xi64>
  }, {
    %b = stablehlo.constant dense<1> : tensor<2xi64>
    stablehlo.return %b, %b : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %r#0, dense<1> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<1> : tensor<2xi64>
  return
}

// case UI: case types
func.func @case_u8() {
  %x0 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %x2 = stablehlo.constant dense<[3, 4]> : tensor<2xui8>
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xui8>
  }, {
    stablehlo.return %x2 : tensor<2xui8>
  }) : (tensor<i32>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xui8>
  return
}

// case F: case types
func.func @case_f32() {
  %x0 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x2 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xf32>
  }, {
    stablehlo.return %x2 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// case C: case types
func.func @case_c64() {
  %x0 = stablehlo.constant dense<0> : tensor<i32>
  %x1 = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %x2 = stablehlo.constant dense<[(3.0, 0.0), (4.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xcomplex<f32>>
  }, {
    stablehlo.return %x2 : tensor<2xcomplex<f32>>
  }) : (tensor<i32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// case B: case i1
func.func @case_s32_2() {
  %x0 = stablehlo.constant dense<7> : tensor<i32>
  %x1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %x2 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xi1>
  }, {
    stablehlo.return %x2 : tensor<2xi1>
  }) : (tensor<i32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// case Q
func.func @case_q8() {
  %p = stablehlo.constant dense<1> : tensor<i32>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.case"(%p) ({
    stablehlo.return %a : tensor<2x3x!q8>
  }, {
    %n = stablehlo.negate %a : tensor<2x3x!q8>
    stablehlo.return %n : tensor<2x3x!q8>
  }) : (tensor<i32>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[-1, -3, -5], [-7, 11, -11]]> : tensor<2x3xi8>
  return
}
