// vector: dot_general
// ops: dot_general
// types: s64 s8 u32 f32 f64 bf16 f16 c64
// input: ELT[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
// input: ELT[2,2,2] {{{1,0},{0,1}},{{1,0},{0,1}}}
// expect: ELT[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
func.func @main(%x0: tensor<2x2x2xELT>, %x1: tensor<2x2x2xELT>) -> tensor<2x2x2xELT> {
  %r = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xELT>, tensor<2x2x2xELT>) -> tensor<2x2x2xELT>
  return %r : tensor<2x2x2xELT>
}
// -----
// vector: dot_general i1
// ops: dot_general
// input: pred[2,2] {{1,0},{1,1}}
// input: pred[2] {0,1}
// expect: pred[2] {0,1}
func.func @main(%x0: tensor<2x2xi1>, %x1: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (tensor<2x2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: dot_general XLA
// ops: dot_general
// input: f32[2,3] {{1,2,3},{4,5,6}}
// input: f32[2,3] {{1,1,1},{2,2,2}}
// expect: f32[2,2] {{6,12},{15,30}}
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %r = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: convolution
// ops: convolution
// types: s64 s8 u32 f32 f64 bf16 c64
// input: ELT[1,4,4,1] {{{{1},{2},{5},{6}},{{3},{4},{7},{8}},{{10},{11},{14},{15}},{{12},{13},{16},{17}}}}
// input: ELT[3,3,1,1] 1
// expect: ELT[1,2,2,1] {{{{10},{26}},{{46},{62}}}}
func.func @main(%x0: tensor<1x4x4x1xELT>, %x1: tensor<3x3x1x1xELT>) -> tensor<1x2x2x1xELT> {
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xELT>, tensor<3x3x1x1xELT>) -> tensor<1x2x2x1xELT>
  return %r : tensor<1x2x2x1xELT>
}
// -----
// vector: convolution padding
// ops: convolution
// input: f32[1,4,4,1] {{{{1},{2},{5},{6}},{{3},{4},{7},{8}},{{10},{11},{14},{15}},{{12},{13},{16},{17}}}}
// input: f32[3,3,1,1] 1
// expect: f32[1,2,2,1] {{{{1},{5}},{{10},{14}}}}
func.func @main(%x0: tensor<1x4x4x1xf32>, %x1: tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32> {
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %r : tensor<1x2x2x1xf32>
}
// -----
// vector: convolution i1
// ops: convolution
// input: pred[1,1,2] {{{1,0}}}
// input: pred[1,1,1] {{{1}}}
// expect: pred[1,1,2] {{{1,0}}}
func.func @main(%x0: tensor<1x1x2xi1>, %x1: tensor<1x1x1xi1>) -> tensor<1x1x2xi1> {
  %r = stablehlo.convolution(%x0, %x1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x2xi1>, tensor<1x1x1xi1>) -> tensor<1x1x2xi1>
  return %r : tensor<1x1x2xi1>
}
