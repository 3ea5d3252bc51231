// map SI
func.func @map_s64() {
  %x0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %x1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xi64>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.multiply %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %r, dense<[[0, 5], [12, 21]]> : tensor<2x2xi64>
  return
}

// map UI
func.func @map_u8() {
  %x0 = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xui8>
  %x1 = stablehlo.constant dense<[[4, 5], [6, 7]]> : tensor<2x2xui8>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = stablehlo.multiply %a, %b : tensor<ui8>
    stablehlo.return %s : tensor<ui8>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xui8>, tensor<2x2xui8>) -> tensor<2x2xui8>
  check.expect_eq_const %r, dense<[[0, 5], [12, 21]]> : tensor<2x2xui8>
  return
}

// map F
func.func @map_f32() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %x1 = stablehlo.constant dense<[[4.0, 5.0], [6.0, 7.0]]> : tensor<2x2xf32>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[0.0, 5.0], [12.0, 21.0]]> : tensor<2x2xf32>
  return
}

// map F
func.func @map_bf16() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xbf16>
  %x1 = stablehlo.constant dense<[[4.0, 5.0], [6.0, 7.0]]> : tensor<2x2xbf16>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[0.0, 5.0], [12.0, 21.0]]> : tensor<2x2xbf16>
  return
}

// map C
func.func @map_c64() {
  %x0 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %x1 = stablehlo.constant dense<[[(4.0, 0.0), (5.0, 0.0)], [(6.0, 0.0), (7.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(0.0, 0.0), (5.0, 0.0)], [(12.0, 0.0), (21.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// map B: map i1
func.func @map_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.xor %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// map Q
func.func @map_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<!q8>):
    %y = stablehlo.negate %x : tensor<!q8>
    stablehlo.return %y : tensor<!q8>
  }) {
    dimensions = array<i64: 0, 1>
  } : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[-1, -3, -5], [-7, 11, -11]]> : tensor<2x3xi8>
  return
}

// map F: bits of floats, and scalars that are reshaped
func.func @map_bits_f32() {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %b = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>
    %c = stablehlo.reshape %b : (tensor<i32>) -> tensor<i32>
    %d = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %e = stablehlo.transpose %d, dims = [] : (tensor<i32>) -> tensor<i32>
    %f = stablehlo.negate %e : tensor<i32>
    stablehlo.return %f : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[-1065353216, 1073741824]> : tensor<2xi32>
  return
}
