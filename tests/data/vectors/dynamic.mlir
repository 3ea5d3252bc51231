// vector: dynamic_broadcast_in_dim
// ops: dynamic_broadcast_in_dim
// types: s8 u16 s32 f32 bf16
// input: ELT[1,3] {{1,2,3}}
// expect: ELT[2,3,2] {{{1,1},{2,2},{3,3}},{{1,1},{2,2},{3,3}}}
func.func @main(%x0: tensor<1x3xELT>) -> tensor<2x3x2xELT> {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%x0, %s) {broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xELT>, tensor<3xi64>) -> tensor<2x3x2xELT>
  return %r : tensor<2x3x2xELT>
}
// -----
// vector: dynamic_broadcast_in_dim i1
// ops: dynamic_broadcast_in_dim
// input: pred[1,3] {{1,0,1}}
// expect: pred[2,3,2] {{{1,1},{0,0},{1,1}},{{1,1},{0,0},{1,1}}}
func.func @main(%x0: tensor<1x3xi1>) -> tensor<2x3x2xi1> {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%x0, %s) {broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xi1>, tensor<3xi64>) -> tensor<2x3x2xi1>
  return %r : tensor<2x3x2xi1>
}
// -----
// vector: dynamic_broadcast_in_dim complex
// ops: dynamic_broadcast_in_dim
// input: c64[1,3] {{(1,2),(3,4),(5,6)}}
// expect: c64[2,3,2] {{{(1,2),(1,2)},{(3,4),(3,4)},{(5,6),(5,6)}},{{(1,2),(1,2)},{(3,4),(3,4)},{(5,6),(5,6)}}}
func.func @main(%x0: tensor<1x3xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>> {
  %s = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_broadcast_in_dim"(%x0, %s) {broadcast_dimensions = array<i64: 2, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xcomplex<f32>>, tensor<3xi64>) -> tensor<2x3x2xcomplex<f32>>
  return %r : tensor<2x3x2xcomplex<f32>>
}
// -----
// vector: dynamic_reshape
// ops: dynamic_reshape
// types: s8 u16 s32 f32 bf16
// input: ELT[2,3] {{1,2,3},{4,5,6}}
// expect: ELT[3,2] {{1,2},{3,4},{5,6}}
func.func @main(%x0: tensor<2x3xELT>) -> tensor<3x2xELT> {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x0, %s : (tensor<2x3xELT>, tensor<2xi64>) -> tensor<3x2xELT>
  return %r : tensor<3x2xELT>
}
// -----
// vector: dynamic_reshape i1
// ops: dynamic_reshape
// input: pred[2,3] {{1,0,1},{1,0,0}}
// expect: pred[3,2] {{1,0},{1,1},{0,0}}
func.func @main(%x0: tensor<2x3xi1>) -> tensor<3x2xi1> {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x0, %s : (tensor<2x3xi1>, tensor<2xi64>) -> tensor<3x2xi1>
  return %r : tensor<3x2xi1>
}
// -----
// vector: dynamic_reshape complex
// ops: dynamic_reshape
// input: c64[2,3] {{(1,0),(2,0),(3,1)},{(4,0),(5,0),(6,2)}}
// expect: c64[3,2] {{(1,0),(2,0)},{(3,1),(4,0)},{(5,0),(6,2)}}
func.func @main(%x0: tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x0, %s : (tensor<2x3xcomplex<f32>>, tensor<2xi64>) -> tensor<3x2xcomplex<f32>>
  return %r : tensor<3x2xcomplex<f32>>
}
// -----
// vector: dynamic_pad
// ops: dynamic_pad
// types: s8 u16 s32 f32 bf16
// input: ELT[2,3] {{1,2,3},{4,5,6}}
// input: ELT[] 0
// expect: ELT[5,9] {{0,1,0,0,2,0,0,3,0},{0,0,0,0,0,0,0,0,0},{0,4,0,0,5,0,0,6,0},{0,0,0,0,0,0,0,0,0},{0,0,0,0,0,0,0,0,0}}
func.func @main(%x0: tensor<2x3xELT>, %x1: tensor<ELT>) -> tensor<5x9xELT> {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %x0, %x1, %l, %h, %i : (tensor<2x3xELT>, tensor<ELT>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xELT>
  return %r : tensor<5x9xELT>
}
// -----
// vector: dynamic_pad i1
// ops: dynamic_pad
// input: pred[2,3] {{1,0,1},{1,1,0}}
// input: pred[] 0
// expect: pred[5,9] {{0,1,0,0,0,0,0,1,0},{0,0,0,0,0,0,0,0,0},{0,1,0,0,1,0,0,0,0},{0,0,0,0,0,0,0,0,0},{0,0,0,0,0,0,0,0,0}}
func.func @main(%x0: tensor<2x3xi1>, %x1: tensor<i1>) -> tensor<5x9xi1> {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %x0, %x1, %l, %h, %i : (tensor<2x3xi1>, tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi1>
  return %r : tensor<5x9xi1>
}
// -----
// vector: dynamic_pad complex
// ops: dynamic_pad
// input: c64[2,3] {{(1,1),(2,0),(3,0)},{(4,0),(5,0),(6,0)}}
// input: c64[] (0,0)
// expect: c64[5,9] {{(0,0),(1,1),(0,0),(0,0),(2,0),(0,0),(0,0),(3,0),(0,0)},{(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0)},{(0,0),(4,0),(0,0),(0,0),(5,0),(0,0),(0,0),(6,0),(0,0)},{(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0)},{(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0),(0,0)}}
func.func @main(%x0: tensor<2x3xcomplex<f32>>, %x1: tensor<complex<f32>>) -> tensor<5x9xcomplex<f32>> {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %x0, %x1, %l, %h, %i : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xcomplex<f32>>
  return %r : tensor<5x9xcomplex<f32>>
}
// -----
// vector: dynamic_iota
// ops: dynamic_iota
// types: s8 u16 s32 f32 bf16
// expect: ELT[4,5] {{0,0,0,0,0},{1,1,1,1,1},{2,2,2,2,2},{3,3,3,3,3}}
func.func @main() -> tensor<4x5xELT> {
  %s = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<4x5xELT>
  return %r : tensor<4x5xELT>
}
// -----
// vector: dynamic_iota complex
// ops: dynamic_iota
// expect: c64[4,5] {{(0,0),(0,0),(0,0),(0,0),(0,0)},{(1,0),(1,0),(1,0),(1,0),(1,0)},{(2,0),(2,0),(2,0),(2,0),(2,0)},{(3,0),(3,0),(3,0),(3,0),(3,0)}}
func.func @main() -> tensor<4x5xcomplex<f32>> {
  %s = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<4x5xcomplex<f32>>
  return %r : tensor<4x5xcomplex<f32>>
}
// -----
// vector: dynamic_gather
// ops: dynamic_gather
// types: s8 u16 s32 f32 bf16
// input: ELT[3,4,2] {{{1,2},{3,4},{5,6},{7,8}},{{9,10},{11,12},{13,14},{15,16}},{{17,18},{19,20},{21,22},{23,24}}}
// expect: ELT[2,3,2,2] {{{{1,2},{3,4}},{{3,4},{5,6}},{{13,14},{15,16}}},{{{9,10},{11,12}},{{11,12},{13,14}},{{17,18},{19,20}}}}
func.func @main(%x0: tensor<3x4x2xELT>) -> tensor<2x3x2x2xELT> {
  %i = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %s = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%x0, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>} : (tensor<3x4x2xELT>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xELT>
  return %r : tensor<2x3x2x2xELT>
}
// -----
// vector: dynamic_gather i1
// ops: dynamic_gather
// input: pred[3,4,2] {{{0,0},{1,1},{1,0},{0,0}},{{1,1},{1,0},{0,0},{1,1}},{{1,0},{0,0},{1,1},{1,0}}}
// expect: pred[2,3,2,2] {{{{0,0},{1,1}},{{1,1},{1,0}},{{0,0},{1,1}}},{{{1,1},{1,0}},{{1,0},{0,0}},{{1,0},{0,0}}}}
func.func @main(%x0: tensor<3x4x2xi1>) -> tensor<2x3x2x2xi1> {
  %i = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %s = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%x0, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>} : (tensor<3x4x2xi1>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xi1>
  return %r : tensor<2x3x2x2xi1>
}
// -----
// vector: dynamic_gather complex
// ops: dynamic_gather
// input: c64[3,4,2] {{{(1,-1),(2,-2)},{(3,-3),(4,-4)},{(5,-5),(6,-6)},{(7,-7),(8,-8)}},{{(9,-9),(10,-10)},{(11,-11),(12,-12)},{(13,-13),(14,-14)},{(15,-15),(16,-16)}},{{(17,-17),(18,-18)},{(19,-19),(20,-20)},{(21,-21),(22,-22)},{(23,-23),(24,-24)}}}
// expect: c64[2,3,2,2] {{{{(1,-1),(2,-2)},{(3,-3),(4,-4)}},{{(3,-3),(4,-4)},{(5,-5),(6,-6)}},{{(13,-13),(14,-14)},{(15,-15),(16,-16)}}},{{{(9,-9),(10,-10)},{(11,-11),(12,-12)}},{{(11,-11),(12,-12)},{(13,-13),(14,-14)}},{{(17,-17),(18,-18)},{(19,-19),(20,-20)}}}}
func.func @main(%x0: tensor<3x4x2xcomplex<f32>>) -> tensor<2x3x2x2xcomplex<f32>> {
  %i = stablehlo.constant dense<[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 2]]]> : tensor<2x3x2xi64>
  %s = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
  %r = "stablehlo.dynamic_gather"(%x0, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>} : (tensor<3x4x2xcomplex<f32>>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x2x2xcomplex<f32>>
  return %r : tensor<2x3x2x2xcomplex<f32>>
}
// -----
// vector: dynamic_conv
// ops: dynamic_conv
// types: s8 u16 s32 f32 bf16
// input: ELT[1,4,4,1] {{{{1},{2},{5},{6}},{{3},{4},{7},{8}},{{10},{11},{14},{15}},{{12},{13},{16},{17}}}}
// input: ELT[3,3,1,1] 1
// expect: ELT[1,2,2,1] {{{{1},{5}},{{10},{14}}}}
func.func @main(%x0: tensor<1x4x4x1xELT>, %x1: tensor<3x3x1x1xELT>) -> tensor<1x2x2x1xELT> {
  %p = stablehlo.constant dense<1> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%x0, %x1, %p) {window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xELT>, tensor<3x3x1x1xELT>, tensor<2x2xi64>) -> tensor<1x2x2x1xELT>
  return %r : tensor<1x2x2x1xELT>
}
// -----
// vector: dynamic_conv i1
// ops: dynamic_conv
// input: pred[1,4,4,1] {{{{0},{0},{1},{0}},{{0},{0},{0},{0}},{{1},{0},{0},{1}},{{0},{0},{0},{0}}}}
// input: pred[3,3,1,1] 1
// expect: pred[1,2,2,1] {{{{0},{1}},{{1},{0}}}}
func.func @main(%x0: tensor<1x4x4x1xi1>, %x1: tensor<3x3x1x1xi1>) -> tensor<1x2x2x1xi1> {
  %p = stablehlo.constant dense<1> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%x0, %x1, %p) {window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi1>, tensor<3x3x1x1xi1>, tensor<2x2xi64>) -> tensor<1x2x2x1xi1>
  return %r : tensor<1x2x2x1xi1>
}
// -----
// vector: dynamic_conv complex
// ops: dynamic_conv
// input: c64[1,4,4,1] {{{{(1,1)},{(2,1)},{(5,1)},{(6,1)}},{{(3,1)},{(4,1)},{(7,1)},{(8,1)}},{{(10,1)},{(11,1)},{(14,1)},{(15,1)}},{{(12,1)},{(13,1)},{(16,1)},{(17,1)}}}}
// input: c64[3,3,1,1] (1,0)
// expect: c64[1,2,2,1] {{{{(1,1)},{(5,1)}},{{(10,1)},{(14,1)}}}}
func.func @main(%x0: tensor<1x4x4x1xcomplex<f32>>, %x1: tensor<3x3x1x1xcomplex<f32>>) -> tensor<1x2x2x1xcomplex<f32>> {
  %p = stablehlo.constant dense<1> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%x0, %x1, %p) {window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xcomplex<f32>>, tensor<3x3x1x1xcomplex<f32>>, tensor<2x2xi64>) -> tensor<1x2x2x1xcomplex<f32>>
  return %r : tensor<1x2x2x1xcomplex<f32>>
}
// -----
// vector: real_dynamic_slice
// ops: real_dynamic_slice
// input: s32[3,4] {{0,1,2,3},{4,5,6,7},{8,9,10,11}}
// expect: s32[2,2] {{1,3},{5,7}}
func.func @main(%x0: tensor<3x4xi32>) -> tensor<2x2xi32> {
  %s = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %l = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %d = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = stablehlo.real_dynamic_slice %x0, %s, %l, %d : (tensor<3x4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
// -----
// vector: SetDimensionSize 5
// ops: set_dimension_size
// input: s32[10] {1,2,3,4,5,6,7,8,9,10}
// expect: s32[] 15
// expect: s32[] 120
// expect: s32[] 5
func.func @main(%x0: tensor<10xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %n = stablehlo.constant dense<5> : tensor<i32>
  %v = stablehlo.set_dimension_size %x0, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<10>>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<10>>, tensor<i32>) -> tensor<i32>
  %p = stablehlo.reduce(%v init: %o) applies stablehlo.multiply across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<10>>, tensor<i32>) -> tensor<i32>
  %d = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?xi32, #stablehlo.bounds<10>>) -> tensor<i32>
  return %s, %p, %d : tensor<i32>, tensor<i32>, tensor<i32>
}
// -----
// vector: SetDimensionSize 6
// ops: set_dimension_size
// input: s32[10] {1,2,3,4,5,6,7,8,9,10}
// expect: s32[] 21
// expect: s32[] 720
// expect: s32[] 6
func.func @main(%x0: tensor<10xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %n = stablehlo.constant dense<6> : tensor<i32>
  %v = stablehlo.set_dimension_size %x0, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<10>>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<10>>, tensor<i32>) -> tensor<i32>
  %p = stablehlo.reduce(%v init: %o) applies stablehlo.multiply across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<10>>, tensor<i32>) -> tensor<i32>
  %d = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?xi32, #stablehlo.bounds<10>>) -> tensor<i32>
  return %s, %p, %d : tensor<i32>, tensor<i32>, tensor<i32>
}
// -----
// vector: dynamic_reshape of a shape in an argument
// ops: dynamic_reshape
// alone
// not on cuda: which shape is found in a run
// input: s32[2,3] {{1,2,3},{4,5,6}}
// input: s64[2] {3,2}
// expect: s32[3,2] {{1,2},{3,4},{5,6}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<2xi64>) -> tensor<?x2xi32> {
  %r = stablehlo.dynamic_reshape %x0, %x1 : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<?x2xi32>
  return %r : tensor<?x2xi32>
}
// -----
// vector: dynamic_iota of a shape in an argument
// ops: dynamic_iota
// alone
// not on cuda: which shape is found in a run
// input: s32[2] {4,5}
// expect: s64[4,5] {{0,1,2,3,4},{0,1,2,3,4},{0,1,2,3,4},{0,1,2,3,4}}
func.func @main(%x0: tensor<2xi32>) -> tensor<4x5xi64> {
  %r = stablehlo.dynamic_iota %x0, dim = 1 : (tensor<2xi32>) -> tensor<4x5xi64>
  return %r : tensor<4x5xi64>
}
// -----
// vector: dynamic_conv of a padding in an argument
// ops: dynamic_conv
// alone
// not on cuda: which shape is found in a run
// input: f32[1,4,4,1] {{{{1},{2},{5},{6}},{{3},{4},{7},{8}},{{10},{11},{14},{15}},{{12},{13},{16},{17}}}}
// input: f32[3,3,1,1] 1
// input: s64[2,2] {{1,1},{1,1}}
// expect: f32[1,2,2,1] {{{{1},{5}},{{10},{14}}}}
func.func @main(%x0: tensor<1x4x4x1xf32>, %x1: tensor<3x3x1x1xf32>, %x2: tensor<2x2xi64>) -> tensor<1x?x?x1xf32> {
  %r = "stablehlo.dynamic_conv"(%x0, %x1, %x2) {window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return %r : tensor<1x?x?x1xf32>
}
// -----
// vector: dynamic types
// ops: add dot_general reduce
// alone
// not on cuda: which shape is found in a run
// input: f32[2,3] {{1,2,3},{4,5,6}}
// input: f32[3,2] {{1,0},{0,1},{1,1}}
// expect: f32[2,2] {{8,10},{20,22}}
// expect: f32[2] {18,42}
func.func @main(%x0: tensor<?x3xf32>, %x1: tensor<3x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %p = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  %r = stablehlo.add %p, %p : tensor<?x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r, %s : tensor<?x?xf32>, tensor<?xf32>
}
