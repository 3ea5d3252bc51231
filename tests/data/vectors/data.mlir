// vector: constant
// ops: constant
// expect: f32[2,2] { {0, 1}, {2, 3} }
func.func @main() -> tensor<2x2xf32> {
  %r = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: constant s8
// ops: constant
// expect: s8[3] {7, 7, 7}
func.func @main() -> tensor<3xi8> {
  %r = stablehlo.constant dense<7> : tensor<3xi8>
  return %r : tensor<3xi8>
}
// -----
// vector: constant u32
// ops: constant
// expect: u32[2] {1, 4294967295}
func.func @main() -> tensor<2xui32> {
  %r = stablehlo.constant dense<[1, 4294967295]> : tensor<2xui32>
  return %r : tensor<2xui32>
}
// -----
// vector: constant i1
// ops: constant
// expect: pred[2] {1, 0}
func.func @main() -> tensor<2xi1> {
  %r = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: constant complex
// ops: constant
// expect: c64[1] {(1, 2)}
func.func @main() -> tensor<1xcomplex<f32>> {
  %r = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: iota dim 0
// ops: iota
// types: s32 u8 f32 f16
// expect: ELT[4,5] { {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}, {3, 3, 3, 3, 3} }
func.func @main() -> tensor<4x5xELT> {
  %r = stablehlo.iota dim = 0 : tensor<4x5xELT>
  return %r : tensor<4x5xELT>
}
// -----
// vector: iota dim 1
// ops: iota
// types: s32 u64 bf16
// expect: ELT[4,5] { {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4} }
func.func @main() -> tensor<4x5xELT> {
  %r = stablehlo.iota dim = 1 : tensor<4x5xELT>
  return %r : tensor<4x5xELT>
}
// -----
// vector: iota complex
// ops: iota
// expect: c64[3] {(0, 0), (1, 0), (2, 0)}
func.func @main() -> tensor<3xcomplex<f32>> {
  %r = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  return %r : tensor<3xcomplex<f32>>
}
// -----
// vector: iota XLA dim 0
// ops: iota
// expect: s32[4,8] { {0, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3} }
func.func @main() -> tensor<4x8xi32> {
  %r = stablehlo.iota dim = 0 : tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}
// -----
// vector: iota XLA dim 1
// ops: iota
// expect: s32[4,8] { {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7} }
func.func @main() -> tensor<4x8xi32> {
  %r = stablehlo.iota dim = 1 : tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}
// -----
// vector: broadcast_in_dim
// ops: broadcast_in_dim
// types: s8 u32 bf16 f32 c64
// input: ELT[1,3] { {1, 2, 3} }
// expect: ELT[2,3,2] { { {1, 1}, {2, 2}, {3, 3} }, { {1, 1}, {2, 2}, {3, 3} } }
func.func @main(%x0: tensor<1x3xELT>) -> tensor<2x3x2xELT> {
  %r = stablehlo.broadcast_in_dim %x0, dims = [2, 1] : (tensor<1x3xELT>) -> tensor<2x3x2xELT>
  return %r : tensor<2x3x2xELT>
}
// -----
// vector: broadcast_in_dim i1
// ops: broadcast_in_dim
// input: pred[] true
// expect: pred[2] {1, 1}
func.func @main(%x0: tensor<i1>) -> tensor<2xi1> {
  %r = stablehlo.broadcast_in_dim %x0, dims = [] : (tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: reshape
// ops: reshape
// types: s8 u32 bf16 f32 c64
// input: ELT[2,3] { {1, 2, 3}, {4, 5, 6} }
// expect: ELT[3,2] { {1, 2}, {3, 4}, {5, 6} }
func.func @main(%x0: tensor<2x3xELT>) -> tensor<3x2xELT> {
  %r = stablehlo.reshape %x0 : (tensor<2x3xELT>) -> tensor<3x2xELT>
  return %r : tensor<3x2xELT>
}
// -----
// vector: Reshape XLA 1x1
// ops: reshape
// input: f32[1,1] { {5} }
// expect: f32[] 5
func.func @main(%x0: tensor<1x1xf32>) -> tensor<f32> {
  %r = stablehlo.reshape %x0 : (tensor<1x1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
// vector: Reshape XLA scalar
// ops: reshape
// input: f32[] 5
// expect: f32[1,1] { {5} }
func.func @main(%x0: tensor<f32>) -> tensor<1x1xf32> {
  %r = stablehlo.reshape %x0 : (tensor<f32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
// -----
// vector: reshape i1
// ops: reshape
// input: pred[2] {1, 0}
// expect: pred[2,1] { {1}, {0} }
func.func @main(%x0: tensor<2xi1>) -> tensor<2x1xi1> {
  %r = stablehlo.reshape %x0 : (tensor<2xi1>) -> tensor<2x1xi1>
  return %r : tensor<2x1xi1>
}
// -----
// vector: XLA Collapse 012
// ops: reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<24xf32> {
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<24xf32>
  return %r : tensor<24xf32>
}
// -----
// vector: XLA Collapse 01
// ops: reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[8,3] {{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, {30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<8x3xf32> {
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
// -----
// vector: XLA Collapse 12
// ops: reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[4,6] {{10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27}, {30, 31, 32, 35, 36, 37}, {40, 41, 42, 45, 46, 47}}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<4x6xf32> {
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
// vector: XLA Reshape 24
// ops: reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<24xf32> {
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<24xf32>
  return %r : tensor<24xf32>
}
// -----
// vector: XLA Reshape 012 8 3
// ops: reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[8,3] {{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, {30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<8x3xf32> {
  %r = stablehlo.reshape %x0 : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
// -----
// vector: XLA Reshape 120 24
// ops: transpose reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[24] {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<24xf32> {
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<24xf32>
  return %r : tensor<24xf32>
}
// -----
// vector: XLA Reshape 120 8 3
// ops: transpose reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[8,3] {{10, 20, 30}, {40, 11, 21}, {31, 41, 12}, {22, 32, 42}, {15, 25, 35}, {45, 16, 26}, {36, 46, 17}, {27, 37, 47}}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<8x3xf32> {
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
// -----
// vector: XLA Reshape 120 2 6 2
// ops: transpose reshape
// input: f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}
// expect: f32[2,6,2] {{{10, 20}, {30, 40}, {11, 21}, {31, 41}, {12, 22}, {32, 42}}, {{15, 25}, {35, 45}, {16, 26}, {36, 46}, {17, 27}, {37, 47}}}
func.func @main(%x0: tensor<4x2x3xf32>) -> tensor<2x6x2xf32> {
  %t = stablehlo.transpose %x0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %r = stablehlo.reshape %t : (tensor<2x3x4xf32>) -> tensor<2x6x2xf32>
  return %r : tensor<2x6x2xf32>
}
// -----
// vector: transpose
// ops: transpose
// types: s8 u32 bf16 f32 c64
// input: ELT[2,3,2] {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}}
// expect: ELT[2,3,2] { {{1, 7}, {3, 9}, {5, 11}}, {{2, 8}, {4, 10}, {6, 12}} }
func.func @main(%x0: tensor<2x3x2xELT>) -> tensor<2x3x2xELT> {
  %r = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xELT>) -> tensor<2x3x2xELT>
  return %r : tensor<2x3x2xELT>
}
// -----
// vector: transpose i1
// ops: transpose
// input: pred[2,1] { {1}, {0} }
// expect: pred[1,2] { {1, 0} }
func.func @main(%x0: tensor<2x1xi1>) -> tensor<1x2xi1> {
  %r = stablehlo.transpose %x0, dims = [1, 0] : (tensor<2x1xi1>) -> tensor<1x2xi1>
  return %r : tensor<1x2xi1>
}
// -----
// vector: reverse
// ops: reverse
// types: s8 u32 bf16 f32 c64
// input: ELT[3,2] { {1, 2}, {3, 4}, {5, 6} }
// expect: ELT[3,2] { {2, 1}, {4, 3}, {6, 5} }
func.func @main(%x0: tensor<3x2xELT>) -> tensor<3x2xELT> {
  %r = stablehlo.reverse %x0, dims = [1] : tensor<3x2xELT>
  return %r : tensor<3x2xELT>
}
// -----
// vector: reverse i1
// ops: reverse
// input: pred[2] {1, 0}
// expect: pred[2] {0, 1}
func.func @main(%x0: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.reverse %x0, dims = [0] : tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: concatenate
// ops: concatenate
// types: s8 u32 bf16 f32 c64
// input: ELT[3,2] { {1, 2}, {3, 4}, {5, 6} }
// input: ELT[1,2] { {7, 8} }
// expect: ELT[4,2] { {1, 2}, {3, 4}, {5, 6}, {7, 8} }
func.func @main(%x0: tensor<3x2xELT>, %x1: tensor<1x2xELT>) -> tensor<4x2xELT> {
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<3x2xELT>, tensor<1x2xELT>) -> tensor<4x2xELT>
  return %r : tensor<4x2xELT>
}
// -----
// vector: concatenate XLA
// ops: concatenate
// input: s32[2] {2, 3}
// input: s32[2] {4, 5}
// input: s32[2] {6, 7}
// expect: s32[6] {2, 3, 4, 5, 6, 7}
func.func @main(%x0: tensor<2xi32>, %x1: tensor<2xi32>, %x2: tensor<2xi32>) -> tensor<6xi32> {
  %r = stablehlo.concatenate %x0, %x1, %x2, dim = 0 : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
// -----
// vector: concatenate i1
// ops: concatenate
// input: pred[1] {1}
// input: pred[1] {0}
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<1xi1>, %x1: tensor<1xi1>) -> tensor<2xi1> {
  %r = stablehlo.concatenate %x0, %x1, dim = 0 : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: pad
// ops: pad
// types: s8 u32 bf16 f32 c64
// input: ELT[2,3] {{1, 2, 3}, {4, 5, 6}}
// input: ELT[] 0
// expect: ELT[5,9] {{0, 1, 0, 0, 2, 0, 0, 3, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 4, 0, 0, 5, 0, 0, 6, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}}
func.func @main(%x0: tensor<2x3xELT>, %x1: tensor<ELT>) -> tensor<5x9xELT> {
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xELT>, tensor<ELT>) -> tensor<5x9xELT>
  return %r : tensor<5x9xELT>
}
// -----
// vector: pad XLA 1
// ops: pad
// input: s32[2,3] {{1, 2, 3}, {4, 5, 6}}
// input: s32[] 0
// expect: s32[3,6] {{0, 1, 2, 3, 0, 0}, {0, 4, 5, 6, 0, 0}, {0, 0, 0, 0, 0, 0}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<i32>) -> tensor<3x6xi32> {
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [1, 2], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x6xi32>
  return %r : tensor<3x6xi32>
}
// -----
// vector: pad XLA 2
// ops: pad
// input: s32[2,3] {{1, 2, 3}, {4, 5, 6}}
// input: s32[] 0
// expect: s32[3,5] {{1, 0, 2, 0, 3}, {0, 0, 0, 0, 0}, {4, 0, 5, 0, 6}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<i32>) -> tensor<3x5xi32> {
  %r = stablehlo.pad %x0, %x1, low = [0, 0], high = [0, 0], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
// -----
// vector: pad XLA 3
// ops: pad
// input: s32[2,3] {{1, 2, 3}, {4, 5, 6}}
// input: s32[] 0
// expect: s32[4,8] {{0, 1, 0, 2, 0, 3, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 4, 0, 5, 0, 6, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}}
func.func @main(%x0: tensor<2x3xi32>, %x1: tensor<i32>) -> tensor<4x8xi32> {
  %r = stablehlo.pad %x0, %x1, low = [0, 1], high = [1, 2], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}
// -----
// vector: pad i1
// ops: pad
// input: pred[1] {1}
// input: pred[] false
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<1xi1>, %x1: tensor<i1>) -> tensor<2xi1> {
  %r = stablehlo.pad %x0, %x1, low = [0], high = [1], interior = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: slice
// ops: slice
// types: s8 u32 bf16 f32 c64
// input: ELT[3,4] {{0,0,0,0},{0,0,1,1},{0,0,1,1}}
// expect: ELT[2,2] {{1,1},{1,1}}
func.func @main(%x0: tensor<3x4xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: slice S-PRE
// ops: slice
// input: s32[3,4] {{0,1,2,3},{4,5,6,7},{8,9,10,11}}
// expect: s32[1,2] {{5,6}}
func.func @main(%x0: tensor<3x4xi32>) -> tensor<1x2xi32> {
  %r = stablehlo.slice %x0 [1:2, 1:3] : (tensor<3x4xi32>) -> tensor<1x2xi32>
  return %r : tensor<1x2xi32>
}
// -----
// vector: slice XLA 1
// ops: slice
// input: f32[5] {0,1,2,3,4}
// expect: f32[2] {2,3}
func.func @main(%x0: tensor<5xf32>) -> tensor<2xf32> {
  %r = stablehlo.slice %x0 [2:4] : (tensor<5xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: slice XLA 2
// ops: slice
// input: f32[4,3] {{0,1,2},{3,4,5},{6,7,8},{9,10,11}}
// expect: f32[2,2] {{7,8},{10,11}}
func.func @main(%x0: tensor<4x3xf32>) -> tensor<2x2xf32> {
  %r = stablehlo.slice %x0 [2:4, 1:3] : (tensor<4x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: slice i1
// ops: slice
// input: pred[3] {1,0,1}
// expect: pred[2] {1,1}
func.func @main(%x0: tensor<3xi1>) -> tensor<2xi1> {
  %r = stablehlo.slice %x0 [0:3:2] : (tensor<3xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: dynamic_slice
// ops: dynamic_slice
// types: s8 u32 bf16 f32 c64
// input: ELT[4,4] {{0,0,1,1},{0,0,1,1},{0,0,0,0},{0,0,0,0}}
// input: s64[] -1
// input: s64[] 3
// expect: ELT[2,2] {{1,1},{1,1}}
func.func @main(%x0: tensor<4x4xELT>, %x1: tensor<i64>, %x2: tensor<i64>) -> tensor<2x2xELT> {
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xELT>, tensor<i64>, tensor<i64>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: dynamic_slice XLA 1
// ops: dynamic_slice
// input: f32[5] {0,1,2,3,4}
// input: s32[] 2
// expect: f32[2] {2,3}
func.func @main(%x0: tensor<5xf32>, %x1: tensor<i32>) -> tensor<2xf32> {
  %r = stablehlo.dynamic_slice %x0, %x1, sizes = [2] : (tensor<5xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: dynamic_slice XLA 2
// ops: dynamic_slice
// input: f32[4,3] {{0,1,2},{3,4,5},{6,7,8},{9,10,11}}
// input: u32[] 2
// input: u32[] 1
// expect: f32[2,2] {{7,8},{10,11}}
func.func @main(%x0: tensor<4x3xf32>, %x1: tensor<ui32>, %x2: tensor<ui32>) -> tensor<2x2xf32> {
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
// -----
// vector: dynamic_slice i1
// ops: dynamic_slice
// input: pred[3] {0,1,1}
// input: s32[] 1
// expect: pred[2] {1,1}
func.func @main(%x0: tensor<3xi1>, %x1: tensor<i32>) -> tensor<2xi1> {
  %r = stablehlo.dynamic_slice %x0, %x1, sizes = [2] : (tensor<3xi1>, tensor<i32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: dynamic_update_slice
// ops: dynamic_update_slice
// types: s8 u32 bf16 f32 f64
// input: ELT[4,4] {{1,1,0,0},{1,1,0,0},{1,1,1,1},{1,1,1,1}}
// input: ELT[2,2] 1
// input: s64[] -1
// input: s64[] 3
// expect: ELT[4,4] 1
func.func @main(%x0: tensor<4x4xELT>, %x1: tensor<2x2xELT>, %x2: tensor<i64>, %x3: tensor<i64>) -> tensor<4x4xELT> {
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xELT>, tensor<2x2xELT>, tensor<i64>, tensor<i64>) -> tensor<4x4xELT>
  return %r : tensor<4x4xELT>
}
// -----
// vector: dynamic_update_slice complex
// ops: dynamic_update_slice
// input: c64[3] (0, 0)
// input: c64[1] (1, 2)
// input: s32[] 5
// expect: c64[3] {(0, 0), (0, 0), (1, 2)}
func.func @main(%x0: tensor<3xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>, %x2: tensor<i32>) -> tensor<3xcomplex<f32>> {
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<3xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<3xcomplex<f32>>
  return %r : tensor<3xcomplex<f32>>
}
// -----
// vector: dynamic_update_slice i1
// ops: dynamic_update_slice
// input: pred[3] {0,0,0}
// input: pred[1] {1}
// input: s32[] 1
// expect: pred[3] {0,1,0}
func.func @main(%x0: tensor<3xi1>, %x1: tensor<1xi1>, %x2: tensor<i32>) -> tensor<3xi1> {
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<3xi1>, tensor<1xi1>, tensor<i32>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: dynamic_update_slice XLA 1
// ops: dynamic_update_slice
// input: f32[5] {0,1,2,3,4}
// input: f32[2] {5,6}
// input: s32[] 2
// expect: f32[5] {0,1,5,6,4}
func.func @main(%x0: tensor<5xf32>, %x1: tensor<2xf32>, %x2: tensor<i32>) -> tensor<5xf32> {
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<5xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
// -----
// vector: dynamic_update_slice XLA 2
// ops: dynamic_update_slice
// input: f32[4,3] {{0,1,2},{3,4,5},{6,7,8},{9,10,11}}
// input: f32[3,2] {{12,13},{14,15},{16,17}}
// input: s32[] 1
// input: s32[] 1
// expect: f32[4,3] {{0,1,2},{3,12,13},{6,14,15},{9,16,17}}
func.func @main(%x0: tensor<4x3xf32>, %x1: tensor<3x2xf32>, %x2: tensor<i32>, %x3: tensor<i32>) -> tensor<4x3xf32> {
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
// -----
// vector: gather
// ops: gather
// types: s32 u8 bf16 f64 c64
// input: ELT[2,3,4,2] {{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{9, 10}, {11, 12}, {13, 14}, {15, 16}}, {{17, 18}, {19, 20}, {21, 22}, {23, 24}}}, {{{25, 26}, {27, 28}, {29, 30}, {31, 32}}, {{33, 34}, {35, 36}, {37, 38}, {39, 40}}, {{41, 42}, {43, 44}, {45, 46}, {47, 48}}}}
// input: s64[2,2,3,2] {{{{0,0},{1,0},{2,1}},{{0,1},{1,1},{0,9}}},{{{0,0},{2,1},{2,2}},{{1,2},{0,1},{1,0}}}}
// expect: ELT[2,2,3,2,2] {{{{{1,2},{3,4}},{{3,4},{5,6}},{{13,14},{15,16}}},{{{33,34},{35,36}},{{35,36},{37,38}},{{41,42},{43,44}}}},{{{{1,2},{3,4}},{{13,14},{15,16}},{{21,22},{23,24}}},{{{43,44},{45,46}},{{33,34},{35,36}},{{27,28},{29,30}}}}}
func.func @main(%x0: tensor<2x3x4x2xELT>, %x1: tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xELT> {
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false} : (tensor<2x3x4x2xELT>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xELT>
  return %r : tensor<2x2x3x2x2xELT>
}
// -----
// vector: gather i1
// ops: gather
// input: pred[3] {0,1,0}
// input: s32[2] {1,7}
// expect: pred[2] {1,0}
func.func @main(%x0: tensor<3xi1>, %x1: tensor<2xi32>) -> tensor<2xi1> {
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<3xi1>, tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: dynamic_gather static
// ops: gather
// input: s32[3,4,2] {{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{9, 10}, {11, 12}, {13, 14}, {15, 16}}, {{17, 18}, {19, 20}, {21, 22}, {23, 24}}}
// input: s64[2,3,2] {{{0,0},{1,0},{2,1}},{{0,1},{1,1},{0,2}}}
// expect: s32[2,3,2,2] {{{{1,2},{3,4}},{{3,4},{5,6}},{{13,14},{15,16}}},{{{9,10},{11,12}},{{11,12},{13,14}},{{17,18},{19,20}}}}
func.func @main(%x0: tensor<3x4x2xi32>, %x1: tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32> {
  %r = "stablehlo.gather"(%x0, %x1) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2>} : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
  return %r : tensor<2x3x2x2xi32>
}
// -----
// vector: get_dimension_size
// ops: get_dimension_size
// input: f32[2,3] 1
// expect: s32[] 3
func.func @main(%x0: tensor<2x3xf32>) -> tensor<i32> {
  %r = stablehlo.get_dimension_size %x0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: get_dimension_size types
// ops: get_dimension_size
// types: s8 u8 pred
// input: ELT[2,3] 1
// expect: s32[] 2
func.func @main(%x0: tensor<2x3xELT>) -> tensor<i32> {
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xELT>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: get_dimension_size complex
// ops: get_dimension_size
// input: c64[2,3] (1, 0)
// expect: s32[] 2
func.func @main(%x0: tensor<2x3xcomplex<f32>>) -> tensor<i32> {
  %r = stablehlo.get_dimension_size %x0, dim = 0 : (tensor<2x3xcomplex<f32>>) -> tensor<i32>
  return %r : tensor<i32>
}
