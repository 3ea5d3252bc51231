// vector: add
// ops: add
// types: s8 u8 s32 u64 bf16 f16 f32 f64
// input: ELT[2,2] { {1, 2}, {3, 4} }
// input: ELT[2,2] { {5, 6}, {7, 8} }
// expect: ELT[2,2] { {6, 8}, {10, 12} }
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.add %x0, %x1 : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: add complex
// ops: add
// input: c64[2] {(1, 2), (0, -1)}
// input: c64[2] {(3, 4), (0, 1)}
// expect: c64[2] {(4, 6), (0, 0)}
func.func @main(%x0: tensor<2xcomplex<f32>>, %x1: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.add %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: add i1
// ops: add
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 1, 1, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.add %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: subtract
// ops: subtract
// types: s8 u8 s32 u64 bf16 f16 f32 f64 c128
// input: ELT[2,2] { {6, 8}, {10, 12} }
// input: ELT[2,2] { {5, 6}, {7, 8} }
// expect: ELT[2,2] { {1, 2}, {3, 4} }
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.subtract %x0, %x1 : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: multiply
// ops: multiply
// types: s8 u8 s32 u64 bf16 f16 f32 f64
// input: ELT[2,2] { {1, 2}, {3, 4} }
// input: ELT[2,2] { {5, 6}, {7, 8} }
// expect: ELT[2,2] { {5, 12}, {21, 32} }
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.multiply %x0, %x1 : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: multiply complex
// ops: multiply
// input: c64[1] {(1, 2)}
// input: c64[1] {(3, 4)}
// expect: c64[1] {(-5, 10)}
func.func @main(%x0: tensor<1xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.multiply %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: multiply i1
// ops: multiply
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 0, 0, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.multiply %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: divide
// ops: divide
// input: f32[4] {17.1, -17.1, 17.1, -17.1}
// input: f32[4] {3, 3, -3, -3}
// expect: f32[4] {5.7, -5.7, -5.7, 5.7}
// rtol: 1.2e-07
// The document prints 5.66666651, which is 17 / 3.
func.func @main(%x0: tensor<4xf32>, %x1: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.divide %x0, %x1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: divide integer
// ops: divide
// input: s32[4] {17, -17, 17, -17}
// input: s32[4] {3, 3, -3, -3}
// expect: s32[4] {5, -5, -5, 5}
func.func @main(%x0: tensor<4xi32>, %x1: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.divide %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// vector: divide unsigned
// ops: divide
// input: u8[2] {250, 7}
// input: u8[2] {3, 7}
// expect: u8[2] {83, 1}
func.func @main(%x0: tensor<2xui8>, %x1: tensor<2xui8>) -> tensor<2xui8> {
  %r = stablehlo.divide %x0, %x1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
// -----
// vector: divide complex
// ops: divide
// input: c64[1] {(-5, 10)}
// input: c64[1] {(3, 4)}
// expect: c64[1] {(1, 2)}
// rtol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.divide %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: remainder
// ops: remainder
// types: s64 s8 f32 f64 bf16
// input: ELT[4] {17, -17, 17, -17}
// input: ELT[4] {3, 3, -3, -3}
// expect: ELT[4] {2, -2, 2, -2}
func.func @main(%x0: tensor<4xELT>, %x1: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.remainder %x0, %x1 : (tensor<4xELT>, tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: remainder unsigned
// ops: remainder
// input: u32[2] {17, 4000000000}
// input: u32[2] {3, 7}
// expect: u32[2] {2, 3}
func.func @main(%x0: tensor<2xui32>, %x1: tensor<2xui32>) -> tensor<2xui32> {
  %r = stablehlo.remainder %x0, %x1 : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  return %r : tensor<2xui32>
}
// -----
// vector: power
// ops: power
// input: f64[6] {-2, -0.0, -36, 5, 3, 10000}
// input: f64[6] {2, 2, 1.1, 2, -1, 10}
// expect: f64[6] {4, 0, nan, 25, 0.33333333333333331, 1e40}
// rtol: 1e-15
func.func @main(%x0: tensor<6xf64>, %x1: tensor<6xf64>) -> tensor<6xf64> {
  %r = stablehlo.power %x0, %x1 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  return %r : tensor<6xf64>
}
// -----
// vector: power f32
// ops: power
// input: f32[6] {-2, -0.0, -36, 5, 3, 10000}
// input: f32[6] {2, 2, 1.1, 2, -1, 10}
// expect: f32[6] {4, 0, nan, 25, 0.333333343, inf}
// rtol: 3e-07
func.func @main(%x0: tensor<6xf32>, %x1: tensor<6xf32>) -> tensor<6xf32> {
  %r = stablehlo.power %x0, %x1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
// vector: power integer
// ops: power
// input: s32[4] {3, -1, -1, 2}
// input: s32[4] {4, 3, 4, 0}
// expect: s32[4] {81, -1, 1, 1}
func.func @main(%x0: tensor<4xi32>, %x1: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.power %x0, %x1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// vector: power unsigned
// ops: power
// input: u8[2] {3, 2}
// input: u8[2] {4, 7}
// expect: u8[2] {81, 128}
func.func @main(%x0: tensor<2xui8>, %x1: tensor<2xui8>) -> tensor<2xui8> {
  %r = stablehlo.power %x0, %x1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
// -----
// vector: power complex
// ops: power
// input: c64[1] {(0, 1)}
// input: c64[1] {(2, 0)}
// expect: c64[1] {(-1, 0)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.power %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: maximum
// ops: maximum
// types: s16 u32 f32 bf16 f64
// input: ELT[2,2] { {1, 2}, {7, 8} }
// input: ELT[2,2] { {5, 6}, {3, 4} }
// expect: ELT[2,2] { {5, 6}, {7, 8} }
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.maximum %x0, %x1 : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: minimum
// ops: minimum
// types: s16 u32 f32 bf16 f64
// input: ELT[2,2] { {1, 2}, {7, 8} }
// input: ELT[2,2] { {5, 6}, {3, 4} }
// expect: ELT[2,2] { {1, 2}, {3, 4} }
func.func @main(%x0: tensor<2x2xELT>, %x1: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.minimum %x0, %x1 : (tensor<2x2xELT>, tensor<2x2xELT>) -> tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: maximum special
// ops: maximum
// input: f32[3] {nan, -0.0, 1}
// input: f32[3] {1, 0.0, nan}
// expect: f32[3] {nan, 0.0, nan}
func.func @main(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<3xf32> {
  %r = stablehlo.maximum %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: minimum special
// ops: minimum
// input: f32[3] {nan, -0.0, 1}
// input: f32[3] {1, 0.0, nan}
// expect: f32[3] {nan, -0.0, nan}
func.func @main(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<3xf32> {
  %r = stablehlo.minimum %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: maximum i1
// ops: maximum
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 1, 1, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.maximum %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: minimum i1
// ops: minimum
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 0, 0, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.minimum %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: and i1
// ops: and
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 0, 0, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.and %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: or i1
// ops: or
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 1, 1, 1}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.or %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: xor i1
// ops: xor
// input: pred[4] {0, 0, 1, 1}
// input: pred[4] {0, 1, 0, 1}
// expect: pred[4] {0, 1, 1, 0}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> tensor<4xi1> {
  %r = stablehlo.xor %x0, %x1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// -----
// vector: maximum complex
// ops: maximum
// input: c64[2] {(1, 2), (2, 0)}
// input: c64[2] {(1, 3), (1, 9)}
// expect: c64[2] {(1, 3), (2, 0)}
func.func @main(%x0: tensor<2xcomplex<f32>>, %x1: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.maximum %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: minimum complex
// ops: minimum
// input: c64[2] {(1, 2), (2, 0)}
// input: c64[2] {(1, 3), (1, 9)}
// expect: c64[2] {(1, 2), (1, 9)}
func.func @main(%x0: tensor<2xcomplex<f32>>, %x1: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.minimum %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: and
// ops: and
// types: s32 u8 s64
// input: ELT[4] {1, 2, 3, 4}
// input: ELT[4] {5, 6, 7, 8}
// expect: ELT[4] {1, 2, 3, 0}
func.func @main(%x0: tensor<4xELT>, %x1: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.and %x0, %x1 : (tensor<4xELT>, tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: or
// ops: or
// types: s32 u8 s64
// input: ELT[4] {1, 2, 3, 4}
// input: ELT[4] {5, 6, 7, 8}
// expect: ELT[4] {5, 6, 7, 12}
func.func @main(%x0: tensor<4xELT>, %x1: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.or %x0, %x1 : (tensor<4xELT>, tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: xor
// ops: xor
// types: s32 u8 s64
// input: ELT[4] {1, 2, 3, 4}
// input: ELT[4] {5, 6, 7, 8}
// expect: ELT[4] {4, 4, 4, 12}
func.func @main(%x0: tensor<4xELT>, %x1: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.xor %x0, %x1 : (tensor<4xELT>, tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: shift_left
// ops: shift_left
// input: s64[3] {-1, 0, 1}
// input: s64[3] {1, 2, 3}
// expect: s64[3] {-2, 0, 8}
func.func @main(%x0: tensor<3xi64>, %x1: tensor<3xi64>) -> tensor<3xi64> {
  %r = stablehlo.shift_left %x0, %x1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}
// -----
// vector: shift_right_arithmetic
// ops: shift_right_arithmetic
// input: s64[3] {-1, 0, 8}
// input: s64[3] {1, 2, 3}
// expect: s64[3] {-1, 0, 1}
func.func @main(%x0: tensor<3xi64>, %x1: tensor<3xi64>) -> tensor<3xi64> {
  %r = stablehlo.shift_right_arithmetic %x0, %x1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}
// -----
// vector: shift_right_logical
// ops: shift_right_logical
// input: s64[3] {-1, 0, 8}
// input: s64[3] {1, 2, 3}
// expect: s64[3] {9223372036854775807, 0, 1}
func.func @main(%x0: tensor<3xi64>, %x1: tensor<3xi64>) -> tensor<3xi64> {
  %r = stablehlo.shift_right_logical %x0, %x1 : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}
// -----
// vector: shift_left types
// ops: shift_left
// types: u8 s32
// input: ELT[3] {1, 0, 8}
// input: ELT[3] {1, 2, 3}
// expect: ELT[3] {2, 0, 64}
func.func @main(%x0: tensor<3xELT>, %x1: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.shift_left %x0, %x1 : (tensor<3xELT>, tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: shift_right_arithmetic types
// ops: shift_right_arithmetic
// types: u8 s32
// input: ELT[3] {1, 0, 8}
// input: ELT[3] {1, 2, 3}
// expect: ELT[3] {0, 0, 1}
func.func @main(%x0: tensor<3xELT>, %x1: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.shift_right_arithmetic %x0, %x1 : (tensor<3xELT>, tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: shift_right_logical types
// ops: shift_right_logical
// types: u8 s32
// input: ELT[3] {1, 0, 8}
// input: ELT[3] {1, 2, 3}
// expect: ELT[3] {0, 0, 1}
func.func @main(%x0: tensor<3xELT>, %x1: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.shift_right_logical %x0, %x1 : (tensor<3xELT>, tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: atan2
// ops: atan2
// input: f32[3] {0, 1, -1}
// input: f32[3] {0, 0, 0}
// expect: f32[3] {0, 1.57079637, -1.57079637}
// rtol: 3e-07
func.func @main(%x0: tensor<3xf32>, %x1: tensor<3xf32>) -> tensor<3xf32> {
  %r = stablehlo.atan2 %x0, %x1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: atan2 f64
// ops: atan2
// input: f64[3] {0, 1, -1}
// input: f64[3] {0, 0, 0}
// expect: f64[3] {0, 1.5707963267948966, -1.5707963267948966}
// rtol: 1e-15
func.func @main(%x0: tensor<3xf64>, %x1: tensor<3xf64>) -> tensor<3xf64> {
  %r = stablehlo.atan2 %x0, %x1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}
// -----
// vector: atan2 complex
// ops: atan2
// input: c64[1] {(1, 0)}
// input: c64[1] {(1, 0)}
// expect: c64[1] {(0.78539816, 0)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.atan2 %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: complex
// ops: complex
// input: f32[2] {1, 3}
// input: f32[2] {2, 4}
// expect: c64[2] {(1, 2), (3, 4)}
func.func @main(%x0: tensor<2xf32>, %x1: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.complex %x0, %x1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: complex f64
// ops: complex
// input: f64[2] {1, 3}
// input: f64[2] {2, 4}
// expect: c128[2] {(1, 2), (3, 4)}
func.func @main(%x0: tensor<2xf64>, %x1: tensor<2xf64>) -> tensor<2xcomplex<f64>> {
  %r = stablehlo.complex %x0, %x1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
  return %r : tensor<2xcomplex<f64>>
}
// -----
// vector: compare
// ops: compare
// input: f32[2] {1.0, 3.0}
// input: f32[2] {1.1, 2.9}
// expect: pred[2] {true, false}
func.func @main(%x0: tensor<2xf32>, %x1: tensor<2xf32>) -> tensor<2xi1> {
  %r = stablehlo.compare LT, %x0, %x1, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: compare totalorder
// ops: compare
// input: f32[6] {-nan, -inf, -1, -0.0, 0.0, inf}
// input: f32[6] {-inf, -1, -0.0, 0.0, inf, nan}
// expect: pred[6] {1, 1, 1, 1, 1, 1}
func.func @main(%x0: tensor<6xf32>, %x1: tensor<6xf32>) -> tensor<6xi1> {
  %r = stablehlo.compare LT, %x0, %x1, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %r : tensor<6xi1>
}
// -----
// vector: compare nan
// ops: compare
// input: f32[2] {nan, 1}
// input: f32[2] {nan, 1}
// expect: pred[2] {true, false}
func.func @main(%x0: tensor<2xf32>, %x1: tensor<2xf32>) -> tensor<2xi1> {
  %r = stablehlo.compare NE, %x0, %x1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: compare types
// ops: compare
// types: s8 u64 bf16 f64 s64
// input: ELT[3] {1, 2, 3}
// input: ELT[3] {2, 2, 2}
// expect: pred[3] {0, 1, 1}
func.func @main(%x0: tensor<3xELT>, %x1: tensor<3xELT>) -> tensor<3xi1> {
  %r = stablehlo.compare GE, %x0, %x1 : (tensor<3xELT>, tensor<3xELT>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: compare i1
// ops: compare
// input: pred[2] {1, 0}
// input: pred[2] {0, 1}
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<2xi1>, %x1: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.compare GT, %x0, %x1 : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: compare complex
// ops: compare
// input: c64[2] {(1, 2), (2, 0)}
// input: c64[2] {(1, 3), (1, 9)}
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<2xcomplex<f32>>, %x1: tensor<2xcomplex<f32>>) -> tensor<2xi1> {
  %r = stablehlo.compare LT, %x0, %x1 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: select
// ops: select
// types: s32 u8 f32 c64 f16
// input: pred[2,2] { {0, 1}, {1, 0} }
// input: ELT[2,2] { {1, 2}, {3, 4} }
// input: ELT[2,2] { {5, 6}, {7, 8} }
// expect: ELT[2,2] { {5, 2}, {3, 8} }
func.func @main(%x0: tensor<2x2xi1>, %x1: tensor<2x2xELT>, %x2: tensor<2x2xELT>) -> tensor<2x2xELT> {
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2x2xi1>, tensor<2x2xELT>
  return %r : tensor<2x2xELT>
}
// -----
// vector: select XLA
// class: SI
// ops: select
// input: pred[4] {1, 0, 0, 1}
// input: s32[4] {1, 2, 3, 4}
// input: s32[4] {100, 200, 300, 400}
// expect: s32[4] {1, 200, 300, 4}
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi32>, %x2: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.select %x0, %x1, %x2 : tensor<4xi1>, tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// vector: select scalar
// class: SI
// ops: select
// input: pred[] true
// input: s32[4] {1, 2, 3, 4}
// input: s32[4] {100, 200, 300, 400}
// expect: s32[4] {1, 2, 3, 4}
func.func @main(%x0: tensor<i1>, %x1: tensor<4xi32>, %x2: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.select %x0, %x1, %x2 : tensor<i1>, tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// vector: select i1
// ops: select
// input: pred[2] {1, 0}
// input: pred[2] {1, 1}
// input: pred[2] {0, 0}
// expect: pred[2] {1, 0}
func.func @main(%x0: tensor<2xi1>, %x1: tensor<2xi1>, %x2: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.select %x0, %x1, %x2 : tensor<2xi1>, tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: clamp
// ops: clamp
// types: s32 u8 f32 f64 bf16
// input: ELT[3] {5, 10, 15}
// input: ELT[3] {3, 13, 23}
// input: ELT[3] {10, 15, 20}
// expect: ELT[3] {5, 13, 20}
func.func @main(%x0: tensor<3xELT>, %x1: tensor<3xELT>, %x2: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<3xELT>, tensor<3xELT>, tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: clamp scalars
// ops: clamp
// input: s32[] 0
// input: s32[3] {-1, 5, 9}
// input: s32[] 6
// expect: s32[3] {0, 5, 6}
func.func @main(%x0: tensor<i32>, %x1: tensor<3xi32>, %x2: tensor<i32>) -> tensor<3xi32> {
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// -----
// vector: clamp complex
// ops: clamp
// input: c64[] (0, 0)
// input: c64[2] {(-1, 5), (1, 1)}
// input: c64[] (1, 0)
// expect: c64[2] {(0, 0), (1, 0)}
func.func @main(%x0: tensor<complex<f32>>, %x1: tensor<2xcomplex<f32>>, %x2: tensor<complex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<complex<f32>>, tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: clamp i1
// ops: clamp
// input: pred[] false
// input: pred[2] {0, 1}
// input: pred[] false
// expect: pred[2] {0, 0}
func.func @main(%x0: tensor<i1>, %x1: tensor<2xi1>, %x2: tensor<i1>) -> tensor<2xi1> {
  %r = stablehlo.clamp %x0, %x1, %x2 : (tensor<i1>, tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: convert
// ops: convert
// input: s64[3] {-1, 0, 1}
// expect: c128[3] {(-1, 0), (0, 0), (1, 0)}
func.func @main(%x0: tensor<3xi64>) -> tensor<3xcomplex<f64>> {
  %r = stablehlo.convert %x0 : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  return %r : tensor<3xcomplex<f64>>
}
// -----
// vector: convert XLA
// ops: convert
// input: s32[3] {0, 1, 2}
// expect: f32[3] {0, 1, 2}
func.func @main(%x0: tensor<3xi32>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xi32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to
// ops: convert
// types: s4 u8 s64
// input: f32[3] {0, 1.75, 2}
// expect: ELT[3] {0, 1, 2}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xELT> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: convert to i1
// ops: convert
// input: c64[3] {(0, 1), (2, 0), (-0.0, 0)}
// expect: pred[3] {0, 1, 0}
func.func @main(%x0: tensor<3xcomplex<f32>>) -> tensor<3xi1> {
  %r = stablehlo.convert %x0 : (tensor<3xcomplex<f32>>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: convert narrow
// ops: convert
// input: f32[3] {1, 1.0009765625, 448}
// expect: f8e4m3fn[3] {1, 1, 448}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E4M3FN> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  return %r : tensor<3xf8E4M3FN>
}
// -----
// vector: convert from i1
// ops: convert
// input: pred[2] {0, 1}
// expect: bf16[2] {0, 1}
func.func @main(%x0: tensor<2xi1>) -> tensor<2xbf16> {
  %r = stablehlo.convert %x0 : (tensor<2xi1>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}
// -----
// vector: convert from unsigned
// ops: convert
// input: u32[2] {0, 4294967295}
// expect: f64[2] {0, 4294967295}
func.func @main(%x0: tensor<2xui32>) -> tensor<2xf64> {
  %r = stablehlo.convert %x0 : (tensor<2xui32>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: bitcast_convert bits
// ops: bitcast_convert
// input: u64[] 81985529216486895
// expect: u16[4] {52719, 35243, 17767, 291}
func.func @main(%x0: tensor<ui64>) -> tensor<4xui16> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<ui64>) -> tensor<4xui16>
  return %r : tensor<4xui16>
}
// -----
// vector: bitcast_convert
// ops: bitcast_convert
// class: F
// input: u64[] 81985529216486895
// expect: u16[4] {52719, 35243, 17767, 291}
func.func @main(%x0: tensor<ui64>) -> tensor<4xui16> {
  %d = stablehlo.bitcast_convert %x0 : (tensor<ui64>) -> tensor<f64>
  %h = stablehlo.bitcast_convert %d : (tensor<f64>) -> tensor<4xf16>
  %r = stablehlo.bitcast_convert %h : (tensor<4xf16>) -> tensor<4xui16>
  return %r : tensor<4xui16>
}
// -----
// vector: bitcast_convert f32 s32
// ops: bitcast_convert
// input: f32[2] {1, -2}
// expect: s32[2] {1065353216, -1073741824}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xi32> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// -----
// vector: bitcast_convert XLA 1
// ops: bitcast_convert
// input: f32[10] 1
// expect: f16[10,2] { {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875} }
func.func @main(%x0: tensor<10xf32>) -> tensor<10x2xf16> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<10xf32>) -> tensor<10x2xf16>
  return %r : tensor<10x2xf16>
}
// -----
// vector: bitcast_convert XLA 2
// ops: bitcast_convert
// input: f32[] 1
// expect: f16[2] {0, 1.875}
func.func @main(%x0: tensor<f32>) -> tensor<2xf16> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<f32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}
// -----
// vector: bitcast_convert XLA 3
// ops: bitcast_convert
// input: f16[10,2] { {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875}, {0, 1.875} }
// expect: f32[10] 1
func.func @main(%x0: tensor<10x2xf16>) -> tensor<10xf32> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<10x2xf16>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}
// -----
// vector: bitcast_convert complex
// ops: bitcast_convert
// input: c64[2] {(1, 2), (3, 4)}
// expect: c64[2] {(1, 2), (3, 4)}
func.func @main(%x0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: bitcast_convert s8
// ops: bitcast_convert
// input: s8[2] {-1, 1}
// expect: u8[2] {255, 1}
func.func @main(%x0: tensor<2xi8>) -> tensor<2xui8> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xi8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
// -----
// vector: bitcast_convert i1
// ops: bitcast_convert
// input: pred[2] {0, 1}
// expect: pred[2] {0, 1}
func.func @main(%x0: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.bitcast_convert %x0 : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: remainder complex
// ops: remainder
// input: c64[1] {(7, 0)}
// input: c64[1] {(2, 0)}
// expect: c64[1] {(1, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>, %x1: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.remainder %x0, %x1 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: convert from f4e2m1fn
// ops: convert
// input: f4e2m1fn[3] {1, -6, 0.5}
// expect: f32[3] {1, -6, 0.5}
func.func @main(%x0: tensor<3xf4E2M1FN>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf4E2M1FN>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f4e2m1fn
// ops: convert
// input: f32[3] {1, -6, 0.5}
// expect: f4e2m1fn[3] {1, -6, 0.5}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf4E2M1FN> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf4E2M1FN>
  return %r : tensor<3xf4E2M1FN>
}
// -----
// vector: convert from f6e2m3fn
// ops: convert
// input: f6e2m3fn[3] {1, -7.5, 0.125}
// expect: f32[3] {1, -7.5, 0.125}
func.func @main(%x0: tensor<3xf6E2M3FN>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf6E2M3FN>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f6e2m3fn
// ops: convert
// input: f32[3] {1, -7.5, 0.125}
// expect: f6e2m3fn[3] {1, -7.5, 0.125}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf6E2M3FN> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf6E2M3FN>
  return %r : tensor<3xf6E2M3FN>
}
// -----
// vector: convert from f6e3m2fn
// ops: convert
// input: f6e3m2fn[3] {1, -28, 0.0625}
// expect: f32[3] {1, -28, 0.0625}
func.func @main(%x0: tensor<3xf6E3M2FN>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf6E3M2FN>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f6e3m2fn
// ops: convert
// input: f32[3] {1, -28, 0.0625}
// expect: f6e3m2fn[3] {1, -28, 0.0625}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf6E3M2FN> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf6E3M2FN>
  return %r : tensor<3xf6E3M2FN>
}
// -----
// vector: convert from f8e3m4
// ops: convert
// input: f8e3m4[3] {1, -15.5, 0.25}
// expect: f32[3] {1, -15.5, 0.25}
func.func @main(%x0: tensor<3xf8E3M4>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E3M4>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e3m4
// ops: convert
// input: f32[3] {1, -15.5, 0.25}
// expect: f8e3m4[3] {1, -15.5, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E3M4> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E3M4>
  return %r : tensor<3xf8E3M4>
}
// -----
// vector: convert from f8e4m3
// ops: convert
// input: f8e4m3[3] {1, -240, 0.25}
// expect: f32[3] {1, -240, 0.25}
func.func @main(%x0: tensor<3xf8E4M3>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e4m3
// ops: convert
// input: f32[3] {1, -240, 0.25}
// expect: f8e4m3[3] {1, -240, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E4M3> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3>
  return %r : tensor<3xf8E4M3>
}
// -----
// vector: convert from f8e4m3fn
// ops: convert
// input: f8e4m3fn[3] {1, -448, 0.25}
// expect: f32[3] {1, -448, 0.25}
func.func @main(%x0: tensor<3xf8E4M3FN>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e4m3fn
// ops: convert
// input: f32[3] {1, -448, 0.25}
// expect: f8e4m3fn[3] {1, -448, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E4M3FN> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  return %r : tensor<3xf8E4M3FN>
}
// -----
// vector: convert from f8e4m3fnuz
// ops: convert
// input: f8e4m3fnuz[3] {1, -240, 0.25}
// expect: f32[3] {1, -240, 0.25}
func.func @main(%x0: tensor<3xf8E4M3FNUZ>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e4m3fnuz
// ops: convert
// input: f32[3] {1, -240, 0.25}
// expect: f8e4m3fnuz[3] {1, -240, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E4M3FNUZ> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  return %r : tensor<3xf8E4M3FNUZ>
}
// -----
// vector: convert from f8e4m3b11fnuz
// ops: convert
// input: f8e4m3b11fnuz[3] {1, -30, 0.25}
// expect: f32[3] {1, -30, 0.25}
func.func @main(%x0: tensor<3xf8E4M3B11FNUZ>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E4M3B11FNUZ>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e4m3b11fnuz
// ops: convert
// input: f32[3] {1, -30, 0.25}
// expect: f8e4m3b11fnuz[3] {1, -30, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E4M3B11FNUZ> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E4M3B11FNUZ>
  return %r : tensor<3xf8E4M3B11FNUZ>
}
// -----
// vector: convert from f8e5m2
// ops: convert
// input: f8e5m2[3] {1, -57344, 0.25}
// expect: f32[3] {1, -57344, 0.25}
func.func @main(%x0: tensor<3xf8E5M2>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E5M2>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e5m2
// ops: convert
// input: f32[3] {1, -57344, 0.25}
// expect: f8e5m2[3] {1, -57344, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E5M2> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E5M2>
  return %r : tensor<3xf8E5M2>
}
// -----
// vector: convert from f8e5m2fnuz
// ops: convert
// input: f8e5m2fnuz[3] {1, -57344, 0.25}
// expect: f32[3] {1, -57344, 0.25}
func.func @main(%x0: tensor<3xf8E5M2FNUZ>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E5M2FNUZ>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e5m2fnuz
// ops: convert
// input: f32[3] {1, -57344, 0.25}
// expect: f8e5m2fnuz[3] {1, -57344, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E5M2FNUZ> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E5M2FNUZ>
  return %r : tensor<3xf8E5M2FNUZ>
}
// -----
// vector: convert from f8e8m0fnu
// ops: convert
// input: f8e8m0fnu[3] {1, 2, 0.25}
// expect: f32[3] {1, 2, 0.25}
func.func @main(%x0: tensor<3xf8E8M0FNU>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to f8e8m0fnu
// ops: convert
// input: f32[3] {1, 2, 0.25}
// expect: f8e8m0fnu[3] {1, 2, 0.25}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf8E8M0FNU> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  return %r : tensor<3xf8E8M0FNU>
}
// -----
// vector: convert from s2
// ops: convert
// input: s2[3] {1, -2, 0}
// expect: f32[3] {1, -2, 0}
func.func @main(%x0: tensor<3xi2>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xi2>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to s2
// ops: convert
// input: f32[3] {1, -2, 0}
// expect: s2[3] {1, -2, 0}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xi2> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi2>
  return %r : tensor<3xi2>
}
// -----
// vector: convert from u2
// ops: convert
// input: u2[3] {1, 3, 0}
// expect: f32[3] {1, 3, 0}
func.func @main(%x0: tensor<3xui2>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xui2>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to u2
// ops: convert
// input: f32[3] {1, 3, 0}
// expect: u2[3] {1, 3, 0}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xui2> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xui2>
  return %r : tensor<3xui2>
}
// -----
// vector: convert from s4
// ops: convert
// input: s4[3] {1, -8, 7}
// expect: f32[3] {1, -8, 7}
func.func @main(%x0: tensor<3xi4>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xi4>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to s4
// ops: convert
// input: f32[3] {1, -8, 7}
// expect: s4[3] {1, -8, 7}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xi4> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xi4>
  return %r : tensor<3xi4>
}
// -----
// vector: convert from u4
// ops: convert
// input: u4[3] {1, 15, 7}
// expect: f32[3] {1, 15, 7}
func.func @main(%x0: tensor<3xui4>) -> tensor<3xf32> {
  %r = stablehlo.convert %x0 : (tensor<3xui4>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: convert to u4
// ops: convert
// input: f32[3] {1, 15, 7}
// expect: u4[3] {1, 15, 7}
func.func @main(%x0: tensor<3xf32>) -> tensor<3xui4> {
  %r = stablehlo.convert %x0 : (tensor<3xf32>) -> tensor<3xui4>
  return %r : tensor<3xui4>
}
