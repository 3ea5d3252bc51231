// vector: reduce
// ops: reduce
// types: s64 s8 u8 f32 bf16 f64 c64
// input: ELT[1,6] {{0,1,2,3,4,5}}
// input: ELT[] 0
// expect: ELT[1] {15}
func.func @main(%x0: tensor<1x6xELT>, %x1: tensor<ELT>) -> tensor<1xELT> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [1] : (tensor<1x6xELT>, tensor<ELT>) -> tensor<1xELT>
  return %r : tensor<1xELT>
}
// -----
// vector: reduce i1
// ops: reduce
// input: pred[3] {0,1,0}
// input: pred[] false
// expect: pred[] true
func.func @main(%x0: tensor<3xi1>, %x1: tensor<i1>) -> tensor<i1> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
// -----
// vector: reduce XLA dim 0
// ops: reduce
// input: s32[4,2,3] {{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}}
// input: s32[] 0
// expect: s32[2,3] {{4,8,12},{16,20,24}}
func.func @main(%x0: tensor<4x2x3xi32>, %x1: tensor<i32>) -> tensor<2x3xi32> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
// vector: reduce XLA dim 2
// ops: reduce
// input: s32[4,2,3] {{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}}
// input: s32[] 0
// expect: s32[4,2] {{6,15},{6,15},{6,15},{6,15}}
func.func @main(%x0: tensor<4x2x3xi32>, %x1: tensor<i32>) -> tensor<4x2xi32> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [2] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}
// -----
// vector: reduce XLA dims 0 1
// ops: reduce
// input: s32[4,2,3] {{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}}
// input: s32[] 0
// expect: s32[3] {20,28,36}
func.func @main(%x0: tensor<4x2x3xi32>, %x1: tensor<i32>) -> tensor<3xi32> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// -----
// vector: reduce XLA all
// ops: reduce
// input: s32[4,2,3] {{{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}}
// input: s32[] 0
// expect: s32[] 84
func.func @main(%x0: tensor<4x2x3xi32>, %x1: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x3xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: reduce XLA 1-D
// ops: reduce
// input: f32[4] {10,11,12,13}
// input: f32[] 0
// expect: f32[] 46
func.func @main(%x0: tensor<4xf32>, %x1: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%x0 init: %x1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// vector: reduce promotion
// ops: reduce
// input: s8[3] {100,100,100}
// input: s8[] 0
// expect: s32[] 300
func.func @main(%x0: tensor<3xi8>, %x1: tensor<i8>) -> tensor<i32> {
  %r = "stablehlo.reduce"(%x0, %x1) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: reduce argmax
// ops: reduce
// input: f32[5] {1,7,3,7,2}
// input: s32[5] {0,1,2,3,4}
// input: f32[] -inf
// input: s32[] 0
// expect: f32[] 7
// expect: s32[] 3
func.func @main(%x0: tensor<5xf32>, %x1: tensor<5xi32>, %x2: tensor<f32>, %x3: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %r:2 = "stablehlo.reduce"(%x0, %x1, %x2, %x3) ({
  ^bb0(%m: tensor<f32>, %i: tensor<i32>, %v: tensor<f32>, %j: tensor<i32>):
    %p = stablehlo.compare GE, %v, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %p, %v, %m : tensor<i1>, tensor<f32>
    %t = stablehlo.select %p, %j, %i : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}
// -----
// vector: reduce_window
// ops: reduce_window
// types: s64 s8 u32 f32 bf16 f64 c64
// input: ELT[3,2] {{1,2},{3,4},{5,6}}
// input: ELT[] 0
// expect: ELT[2,2] {{0,0},{3,4}}
func.func @main(%x0: tensor<3x2xELT>, %x1: tensor<ELT>) -> tensor<2x2xELT> {
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.add %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<3x2xELT>, tensor<ELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: reduce_window valid
// ops: reduce_window
// input: f32[5] {10000,1000,100,10,1}
// input: f32[] inf
// expect: f32[2] {100,1}
func.func @main(%x0: tensor<5xf32>, %x1: tensor<f32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: reduce_window same
// ops: reduce_window
// input: f32[5] {10000,1000,100,10,1}
// input: f32[] inf
// expect: f32[3] {1000,10,1}
func.func @main(%x0: tensor<5xf32>, %x1: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>} : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: reduce_window max pool
// ops: reduce_window
// input: f32[4,6] {{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17}, {18, 19, 20, 21, 22, 23}}
// input: f32[] -inf
// expect: f32[2,2] {{8,11},{20,23}}
func.func @main(%x0: tensor<4x6xf32>, %x1: tensor<f32>) -> tensor<2x2xf32> {
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: reduce_window i1
// ops: reduce_window
// input: pred[4] {0,0,1,0}
// input: pred[] false
// expect: pred[2] {0,1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<i1>) -> tensor<2xi1> {
  %r = "stablehlo.reduce_window"(%x0, %x1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: map
// ops: map
// types: s64 u8 f32 bf16 c64
// input: ELT[2,2] {{0,1},{2,3}}
// input: ELT[2,2] {{4,5},{6,7}}
// expect: ELT[2,2] {{0,5},{12,21}}
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.multiply %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: map i1
// ops: map
// input: pred[2] {0,1}
// input: pred[2] {1,1}
// expect: pred[2] {1,0}
func.func @main(%x0: tensor<2xi1>, %x1: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.map"(%x0, %x1) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.xor %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
