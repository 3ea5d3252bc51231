// while SI
func.func @while_s64() {
  %x0 = stablehlo.constant dense<1> : tensor<i64>
  %x1 = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<10> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<i64>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %one : tensor<i64>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<i64>
    }
  check.expect_eq_const %r#0, dense<10> : tensor<i64>
  check.expect_eq_const %r#1, dense<9> : tensor<i64>
  return
}

// while SI: While XLA
func.func @while_s64_2() {
  %x0 = stablehlo.constant dense<0> : tensor<i64>
  %x1 = stablehlo.constant dense<0.0> : tensor<10xf32>
  %x2 = stablehlo.constant dense<0.5> : tensor<10xf32>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<1000> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<10xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<10xf32>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<10xf32>
    }
  check.expect_eq_const %r#0, dense<1000> : tensor<i64>
  check.expect_eq_const %r#1, dense<500.0> : tensor<10xf32>
  return
}

// while UI: while types
func.func @while_u8() {
  %x0 = stablehlo.constant dense<0> : tensor<i64>
  %x1 = stablehlo.constant dense<0> : tensor<2xui8>
  %x2 = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<2xui8>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<2xui8>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<2xui8>
    }
  check.expect_eq_const %r#0, dense<3> : tensor<i64>
  check.expect_eq_const %r#1, dense<[3, 6]> : tensor<2xui8>
  return
}

// while F: while types
func.func @while_f64() {
  %x0 = stablehlo.constant dense<0> : tensor<i64>
  %x1 = stablehlo.constant dense<0.0> : tensor<2xf64>
  %x2 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<2xf64>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<2xf64>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<2xf64>
    }
  check.expect_eq_const %r#0, dense<3> : tensor<i64>
  check.expect_eq_const %r#1, dense<[3.0, 6.0]> : tensor<2xf64>
  return
}

// while C: while types
func.func @while_c64() {
  %x0 = stablehlo.constant dense<0> : tensor<i64>
  %x1 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %x2 = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<2xcomplex<f32>>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<2xcomplex<f32>>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<2xcomplex<f32>>
    }
  check.expect_eq_const %r#0, dense<3> : tensor<i64>
  check.expect_eq_const %r#1, dense<[(3.0, 0.0), (6.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// while B: while i1
func.func @while_pred() {
  %x0 = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%p = %x0) : tensor<i1>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %q = stablehlo.not %p : tensor<i1>
      stablehlo.return %q : tensor<i1>
    }
  check.expect_eq_const %r, dense<false> : tensor<i1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// while Q
func.func @while_q8() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2x3x!q8>
  cond {
    %two = stablehlo.constant dense<3> : tensor<i32>
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = stablehlo.add %x, %x : tensor<2x3x!q8>
    stablehlo.return %next, %twice : tensor<i32>, tensor<2x3x!q8>
  }
  check.expect_eq_const %r#1, dense<[[17, 33, 49], [65, -79, 97]]> : tensor<2x3xi8>
  return
}
