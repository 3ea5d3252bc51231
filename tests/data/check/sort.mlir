// sort SI
func.func @sort_s64() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %x1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<i64>, %b0: tensor<i64>, %a1: tensor<i64>, %b1: tensor<i64>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %r#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %r#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  return
}

// sort SI
func.func @sort_s8() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi8>
  %x1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi8>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<i8>, %b0: tensor<i8>, %a1: tensor<i8>, %b1: tensor<i8>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xi8>, tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi8>)
  check.expect_eq_const %r#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi8>
  check.expect_eq_const %r#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi8>
  return
}

// sort UI
func.func @sort_u32() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xui32>
  %x1 = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xui32>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>, %a1: tensor<ui32>, %b1: tensor<ui32>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xui32>, tensor<2x3xui32>) -> (tensor<2x3xui32>, tensor<2x3xui32>)
  check.expect_eq_const %r#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xui32>
  check.expect_eq_const %r#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xui32>
  return
}

// sort F
func.func @sort_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]> : tensor<2x3xf32>
  %x1 = stablehlo.constant dense<[[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<f32>, %b1: tensor<f32>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  check.expect_eq_const %r#0, dense<[[3.0, 2.0, 3.0], [1.0, 2.0, 1.0]]> : tensor<2x3xf32>
  check.expect_eq_const %r#1, dense<[[1.0, 2.0, 1.0], [3.0, 2.0, 3.0]]> : tensor<2x3xf32>
  return
}

// sort F
func.func @sort_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]> : tensor<2x3xbf16>
  %x1 = stablehlo.constant dense<[[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]> : tensor<2x3xbf16>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>, %a1: tensor<bf16>, %b1: tensor<bf16>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> (tensor<2x3xbf16>, tensor<2x3xbf16>)
  check.expect_eq_const %r#0, dense<[[3.0, 2.0, 3.0], [1.0, 2.0, 1.0]]> : tensor<2x3xbf16>
  check.expect_eq_const %r#1, dense<[[1.0, 2.0, 1.0], [3.0, 2.0, 3.0]]> : tensor<2x3xbf16>
  return
}

// sort F
func.func @sort_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]> : tensor<2x3xf64>
  %x1 = stablehlo.constant dense<[[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf64>
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<f64>, %b0: tensor<f64>, %a1: tensor<f64>, %b1: tensor<f64>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
  check.expect_eq_const %r#0, dense<[[3.0, 2.0, 3.0], [1.0, 2.0, 1.0]]> : tensor<2x3xf64>
  check.expect_eq_const %r#1, dense<[[1.0, 2.0, 1.0], [3.0, 2.0, 3.0]]> : tensor<2x3xf64>
  return
}

// sort SI: sort 3 operands
func.func @sort_s32() {
  %x0 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[42, 50]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[-3.0, 1.1]> : tensor<2xf32>
  %r:3 = "stablehlo.sort"(%x0, %x1, %x2) ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>, %a2: tensor<f32>, %b2: tensor<f32>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[1, 3]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[50, 42]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<[1.1, -3.0]> : tensor<2xf32>
  return
}

// sort B: sort i1
func.func @sort_pred() {
  %x0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %r = "stablehlo.sort"(%x0) ({
  ^bb0(%a0: tensor<i1>, %b0: tensor<i1>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<3xi1>) -> (tensor<3xi1>)
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}

// sort C: sort complex
func.func @sort_c64() {
  %x0 = stablehlo.constant dense<[(2.0, 0.0), (1.0, 5.0), (1.0, 2.0)]> : tensor<3xcomplex<f32>>
  %r = "stablehlo.sort"(%x0) ({
  ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>)
  check.expect_eq_const %r, dense<[(1.0, 2.0), (1.0, 5.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// sort Q
func.func @sort_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<!q8>, %y: tensor<!q8>):
    %lt = stablehlo.compare LT, %x, %y : (tensor<!q8>, tensor<!q8>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [-9, 9, 13]]> : tensor<2x3xi8>
  return
}

// sort F: totalOrder tells NaNs apart
func.func @sort_nans_f16() {
  %x = stablehlo.constant dense<[0x7E00, 0x7C01, 0xFE00, 0xFC01, 0x7C00, 0x3C00, 0x8000, 0x0000, 0xBC00]> : tensor<9xf16>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<9xf16>) -> tensor<9xf16>
  %r = stablehlo.bitcast_convert %s : (tensor<9xf16>) -> tensor<9xui16>
  check.expect_eq_const %r, dense<[65024, 64513, 48128, 32768, 0, 15360, 31744, 31745, 32256]> : tensor<9xui16>
  return
}

// sort F: totalOrder tells NaNs apart
func.func @sort_nans_bf16() {
  %x = stablehlo.constant dense<[0x7FC0, 0x7F81, 0xFFC0, 0xFF81, 0x7F80, 0x3F80, 0x8000, 0x0000, 0xBF80]> : tensor<9xbf16>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<9xbf16>) -> tensor<9xbf16>
  %r = stablehlo.bitcast_convert %s : (tensor<9xbf16>) -> tensor<9xui16>
  check.expect_eq_const %r, dense<[65472, 65409, 49024, 32768, 0, 16256, 32640, 32641, 32704]> : tensor<9xui16>
  return
}

// sort F: totalOrder tells NaNs apart
func.func @sort_nans_f8() {
  %x = stablehlo.constant dense<[0x7E, 0x7D, 0xFE, 0xFD, 0x7C, 0x3C, 0x80, 0x00, 0xBC]> : tensor<9xf8E5M2>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
  %r = stablehlo.bitcast_convert %s : (tensor<9xf8E5M2>) -> tensor<9xui8>
  check.expect_eq_const %r, dense<[254, 253, 188, 128, 0, 60, 124, 125, 126]> : tensor<9xui8>
  return
}
