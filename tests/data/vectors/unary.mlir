// vector: abs
// ops: abs
// input: s32[3] {-2, 0, 2}
// expect: s32[3] {2, 0, 2}
func.func @main(%x0: tensor<3xi32>) -> tensor<3xi32> {
  %r = stablehlo.abs %x0 : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// -----
// vector: abs
// ops: abs
// types: bf16 f16 f64
// input: ELT[4] {-2.5, -0, 0, 2}
// expect: ELT[4] {2.5, 0, 0, 2}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.abs %x0 : (tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: abs
// ops: abs
// types: s4 s8 s64 f32 f8e4m3fn
// input: ELT[3] {-2, 0, 2}
// expect: ELT[3] {2, 0, 2}
func.func @main(%x0: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.abs %x0 : (tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: abs complex
// ops: abs
// input: c64[2] {(3, 4), (0, -2)}
// expect: f32[2] {5, 2}
// rtol: 3e-07
func.func @main(%x0: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %r = stablehlo.abs %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: cbrt
// ops: cbrt
// input: f32[4] {0, 1, 8, 27}
// expect: f32[4] {0, 1, 2, 3}
// rtol: 3e-07
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.cbrt %x0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: cbrt
// ops: cbrt
// input: f64[4] {0, 1, 8, 27}
// expect: f64[4] {0, 1, 2, 3}
// rtol: 1e-15
func.func @main(%x0: tensor<4xf64>) -> tensor<4xf64> {
  %r = stablehlo.cbrt %x0 : (tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
// -----
// vector: cbrt
// ops: cbrt
// input: f16[4] {0, 1, 8, 27}
// expect: f16[4] {0, 1, 2, 3}
// rtol: 0.001
func.func @main(%x0: tensor<4xf16>) -> tensor<4xf16> {
  %r = stablehlo.cbrt %x0 : (tensor<4xf16>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}
// -----
// vector: cbrt complex
// ops: cbrt
// input: c64[2] {(8, 0), (1, 0)}
// expect: c64[2] {(2, 0), (1, 0)}
// rtol: 1e-06
// atol: 1e-06
func.func @main(%x0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.cbrt %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: ceil
// ops: ceil
// input: f32[5] {-0.8166, -0.2530, 0.2530, 0.8166, 2.0}
// expect: f32[5] {-0.0, -0.0, 1, 1, 2}
func.func @main(%x0: tensor<5xf32>) -> tensor<5xf32> {
  %r = stablehlo.ceil %x0 : (tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
// -----
// vector: ceil
// ops: ceil
// types: bf16 f64 f8e5m2
// input: ELT[5] {-0.75, -0.25, 0.25, 0.75, 2}
// expect: ELT[5] {-0.0, -0.0, 1, 1, 2}
func.func @main(%x0: tensor<5xELT>) -> tensor<5xELT> {
  %r = stablehlo.ceil %x0 : (tensor<5xELT>) -> tensor<5xELT>
  return %r : tensor<5xELT>
}
// -----
// vector: floor
// ops: floor
// input: f32[5] {-0.8166, -0.2530, 0.2530, 0.8166, 2.0}
// expect: f32[5] {-1, -1, 0, 0, 2}
func.func @main(%x0: tensor<5xf32>) -> tensor<5xf32> {
  %r = stablehlo.floor %x0 : (tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
// -----
// vector: floor
// ops: floor
// types: f16 f64
// input: ELT[5] {-0.75, -0.25, 0.25, 0.75, 2}
// expect: ELT[5] {-1, -1, 0, 0, 2}
func.func @main(%x0: tensor<5xELT>) -> tensor<5xELT> {
  %r = stablehlo.floor %x0 : (tensor<5xELT>) -> tensor<5xELT>
  return %r : tensor<5xELT>
}
// -----
// vector: cosine
// ops: cosine
// input: f32[4] {0, 1.57079632, 3.14159265, 4.71238898}
// expect: f32[4] {1, 0, -1, 0}
// atol: 1e-06
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.cosine %x0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: cosine complex
// ops: cosine
// input: c128[1] {(0, 0)}
// expect: c128[1] {(1, 0)}
// atol: 1e-15
func.func @main(%x0: tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>> {
  %r = stablehlo.cosine %x0 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  return %r : tensor<1xcomplex<f64>>
}
// -----
// vector: sine
// ops: sine
// input: f32[4] {0, 1.57079632, 3.14159265, 4.71238898}
// expect: f32[4] {0, 1, 0, -1}
// atol: 1e-06
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.sine %x0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: sine complex
// ops: sine
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.sine %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: tan
// ops: tan
// input: f64[4] {0, 1.5707963267948966, 3.141592653589793, 4.71238898038469}
// expect: f64[4] {0, 1.633123935319537e16, 0, 5.443746451065123e15}
// rtol: 1e-12
// atol: 1e-15
func.func @main(%x0: tensor<4xf64>) -> tensor<4xf64> {
  %r = stablehlo.tan %x0 : (tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
// -----
// vector: tan complex
// ops: tan
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.tan %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: tanh
// ops: tanh
// input: f32[3] {-1, 0, 1}
// expect: f32[3] {-0.76159416, 0, 0.76159416}
// rtol: 3e-07
func.func @main(%x0: tensor<3xf32>) -> tensor<3xf32> {
  %r = stablehlo.tanh %x0 : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: tanh complex
// ops: tanh
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.tanh %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: count_leading_zeros
// ops: count_leading_zeros
// input: s64[4] {0, 1, 128, -1}
// expect: s64[4] {64, 63, 56, 0}
func.func @main(%x0: tensor<4xi64>) -> tensor<4xi64> {
  %r = stablehlo.count_leading_zeros %x0 : (tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}
// -----
// vector: count_leading_zeros
// ops: count_leading_zeros
// input: u64[3] {0, 1, 64}
// expect: u64[3] {64, 63, 57}
func.func @main(%x0: tensor<3xui64>) -> tensor<3xui64> {
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xui64>) -> tensor<3xui64>
  return %r : tensor<3xui64>
}
// -----
// vector: count_leading_zeros
// ops: count_leading_zeros
// input: s8[3] {0, 1, 64}
// expect: s8[3] {8, 7, 1}
func.func @main(%x0: tensor<3xi8>) -> tensor<3xi8> {
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}
// -----
// vector: count_leading_zeros
// ops: count_leading_zeros
// input: u16[3] {0, 1, 64}
// expect: u16[3] {16, 15, 9}
func.func @main(%x0: tensor<3xui16>) -> tensor<3xui16> {
  %r = stablehlo.count_leading_zeros %x0 : (tensor<3xui16>) -> tensor<3xui16>
  return %r : tensor<3xui16>
}
// -----
// vector: popcnt
// ops: popcnt
// input: s64[4] {0, 1, 2, 127}
// expect: s64[4] {0, 1, 1, 7}
func.func @main(%x0: tensor<4xi64>) -> tensor<4xi64> {
  %r = stablehlo.popcnt %x0 : (tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}
// -----
// vector: popcnt
// ops: popcnt
// types: u8 s8 u32
// input: ELT[4] {0, 1, 2, 127}
// expect: ELT[4] {0, 1, 1, 7}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.popcnt %x0 : (tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: exponential
// ops: exponential
// input: f64[4] {0, 1, 2, 3}
// expect: f64[4] {1, 2.7182818284590451, 7.3890560989306504, 20.085536923187668}
// rtol: 1e-15
func.func @main(%x0: tensor<4xf64>) -> tensor<4xf64> {
  %r = stablehlo.exponential %x0 : (tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
// -----
// vector: exponential complex
// ops: exponential
// input: c64[1] {(0, 3.14159265)}
// expect: c64[1] {(-1, 0)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.exponential %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: exponential_minus_one
// ops: exponential_minus_one
// input: f32[2] {0, 1}
// expect: f32[2] {0, 1.71828187}
// rtol: 3e-07
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.exponential_minus_one %x0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: exponential_minus_one complex
// ops: exponential_minus_one
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.exponential_minus_one %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: log
// ops: log
// input: f64[4] {1, 2, 3, 4}
// expect: f64[4] {0, 0.69314718055994529, 1.0986122886681098, 1.3862943611198906}
// rtol: 1e-15
func.func @main(%x0: tensor<4xf64>) -> tensor<4xf64> {
  %r = stablehlo.log %x0 : (tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
// -----
// vector: log complex
// ops: log
// input: c64[1] {(-1, 0)}
// expect: c64[1] {(0, 3.14159265)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.log %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: log_plus_one
// ops: log_plus_one
// input: f32[5] {0, -0.999, 7, 6.38905621, 15}
// expect: f32[5] {0, -6.90776825, 2.07944155, 2.0, 2.77258873}
// rtol: 5e-06
func.func @main(%x0: tensor<5xf32>) -> tensor<5xf32> {
  %r = stablehlo.log_plus_one %x0 : (tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
// -----
// vector: log_plus_one complex
// ops: log_plus_one
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0, 0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.log_plus_one %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: logistic
// ops: logistic
// input: f32[4] {0, 1, 2, 3}
// expect: f32[4] {0.5, 0.73105858, 0.88079708, 0.95257413}
// rtol: 3e-07
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.logistic %x0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: logistic complex
// ops: logistic
// input: c64[1] {(0, 0)}
// expect: c64[1] {(0.5, 0)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.logistic %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: imag
// ops: imag
// input: c64[2] {(1, 2), (3, 4)}
// expect: f32[2] {2, 4}
func.func @main(%x0: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %r = stablehlo.imag %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: imag real
// ops: imag
// input: f32[2] {1, 3}
// expect: f32[2] {0, 0}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.imag %x0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: real
// ops: real
// input: c128[2] {(1, 2), (3, 4)}
// expect: f64[2] {1, 3}
func.func @main(%x0: tensor<2xcomplex<f64>>) -> tensor<2xf64> {
  %r = stablehlo.real %x0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: real real
// ops: real
// input: f32[2] {1, 3}
// expect: f32[2] {1, 3}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.real %x0 : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: is_finite
// ops: is_finite
// input: f64[7] {-inf, inf, nan, -10, -0.0, 0.0, 10}
// expect: pred[7] {false, false, false, true, true, true, true}
func.func @main(%x0: tensor<7xf64>) -> tensor<7xi1> {
  %r = stablehlo.is_finite %x0 : (tensor<7xf64>) -> tensor<7xi1>
  return %r : tensor<7xi1>
}
// -----
// vector: is_finite f16
// ops: is_finite
// input: f16[3] {inf, nan, 1e-7}
// expect: pred[3] {false, false, true}
func.func @main(%x0: tensor<3xf16>) -> tensor<3xi1> {
  %r = stablehlo.is_finite %x0 : (tensor<3xf16>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: negate
// ops: negate
// input: s32[2] {0, -2}
// expect: s32[2] {0, 2}
func.func @main(%x0: tensor<2xi32>) -> tensor<2xi32> {
  %r = stablehlo.negate %x0 : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// -----
// vector: negate complex
// ops: negate
// input: c64[1] {(2.5, 0.0)}
// expect: c64[1] {(-2.5, -0.0)}
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.negate %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: negate unsigned
// ops: negate
// input: u8[3] {0, 1, 255}
// expect: u8[3] {0, 255, 1}
func.func @main(%x0: tensor<3xui8>) -> tensor<3xui8> {
  %r = stablehlo.negate %x0 : (tensor<3xui8>) -> tensor<3xui8>
  return %r : tensor<3xui8>
}
// -----
// vector: negate floats
// ops: negate
// types: f32 bf16 f64
// input: ELT[3] {0, -2, 1.5}
// expect: ELT[3] {-0.0, 2, -1.5}
func.func @main(%x0: tensor<3xELT>) -> tensor<3xELT> {
  %r = stablehlo.negate %x0 : (tensor<3xELT>) -> tensor<3xELT>
  return %r : tensor<3xELT>
}
// -----
// vector: not
// ops: not
// input: s32[4] {1, 2, 3, 4}
// expect: s32[4] {-2, -3, -4, -5}
func.func @main(%x0: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.not %x0 : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
// vector: not i1
// ops: not
// input: pred[2] {true, false}
// expect: pred[2] {false, true}
func.func @main(%x0: tensor<2xi1>) -> tensor<2xi1> {
  %r = stablehlo.not %x0 : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: not unsigned
// ops: not
// input: u8[2] {0, 1}
// expect: u8[2] {255, 254}
func.func @main(%x0: tensor<2xui8>) -> tensor<2xui8> {
  %r = stablehlo.not %x0 : (tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
// -----
// vector: round_nearest_afz
// ops: round_nearest_afz
// types: f32 f64 f16 bf16
// input: ELT[5] {-2.5, 0.4, 0.5, 0.6, 2.5}
// expect: ELT[5] {-3, 0, 1, 1, 3}
func.func @main(%x0: tensor<5xELT>) -> tensor<5xELT> {
  %r = stablehlo.round_nearest_afz %x0 : (tensor<5xELT>) -> tensor<5xELT>
  return %r : tensor<5xELT>
}
// -----
// vector: round_nearest_even
// ops: round_nearest_even
// types: f32 f64 f16 bf16
// input: ELT[5] {-2.5, 0.4, 0.5, 0.6, 2.5}
// expect: ELT[5] {-2, 0, 0, 1, 2}
func.func @main(%x0: tensor<5xELT>) -> tensor<5xELT> {
  %r = stablehlo.round_nearest_even %x0 : (tensor<5xELT>) -> tensor<5xELT>
  return %r : tensor<5xELT>
}
// -----
// vector: rsqrt
// ops: rsqrt
// input: f32[4] {1, 4, 9, 25}
// expect: f32[4] {1, 0.5, 0.33333343, 0.2}
// rtol: 5e-07
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.rsqrt %x0 : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: rsqrt complex
// ops: rsqrt
// input: c64[1] {(4, 0)}
// expect: c64[1] {(0.5, 0)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.rsqrt %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: sign
// ops: sign
// input: f64[5] {nan, -1, -0.0, 0.0, 1}
// expect: f64[5] {nan, -1, -0.0, 0.0, 1}
func.func @main(%x0: tensor<5xf64>) -> tensor<5xf64> {
  %r = stablehlo.sign %x0 : (tensor<5xf64>) -> tensor<5xf64>
  return %r : tensor<5xf64>
}
// -----
// vector: sign integer
// ops: sign
// input: s32[3] {-7, 0, 5}
// expect: s32[3] {-1, 0, 1}
func.func @main(%x0: tensor<3xi32>) -> tensor<3xi32> {
  %r = stablehlo.sign %x0 : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// -----
// vector: sign complex
// ops: sign
// input: c64[2] {(3, 4), (0, 0)}
// expect: c64[2] {(0.6, 0.8), (0, 0)}
// rtol: 3e-07
func.func @main(%x0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %r = stablehlo.sign %x0 : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}
// -----
// vector: sqrt
// ops: sqrt
// types: f32 f64 f16
// input: ELT[4] {0, 1, 4, 9}
// expect: ELT[4] {0, 1, 2, 3}
func.func @main(%x0: tensor<4xELT>) -> tensor<4xELT> {
  %r = stablehlo.sqrt %x0 : (tensor<4xELT>) -> tensor<4xELT>
  return %r : tensor<4xELT>
}
// -----
// vector: sqrt complex
// ops: sqrt
// input: c64[1] {(-4, 0)}
// expect: c64[1] {(0, 2)}
// atol: 1e-06
func.func @main(%x0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
  %r = stablehlo.sqrt %x0 : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}
// -----
// vector: reduce_precision
// ops: reduce_precision
// input: f64[6] {inf, nan, 5e-324, 0.0, 65519.0, 65520.0}
// expect: f64[6] {inf, nan, 0.0, 0.0, 65504.0, inf}
func.func @main(%x0: tensor<6xf64>) -> tensor<6xf64> {
  %r = stablehlo.reduce_precision %x0, format = e5m10 : tensor<6xf64>
  return %r : tensor<6xf64>
}
// -----
// vector: reduce_precision f32
// ops: reduce_precision
// input: f32[4] {inf, 65519.0, 65520.0, -1e-30}
// expect: f32[4] {inf, 65504.0, inf, -0.0}
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.reduce_precision %x0, format = e5m10 : tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: cosine f64
// ops: cosine
// input: f64[2] {0, 3.141592653589793}
// expect: f64[2] {1, -1}
// atol: 1e-15
func.func @main(%x0: tensor<2xf64>) -> tensor<2xf64> {
  %r = stablehlo.cosine %x0 : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: sine f64
// ops: sine
// input: f64[2] {0, 1.5707963267948966}
// expect: f64[2] {0, 1}
// atol: 1e-15
func.func @main(%x0: tensor<2xf64>) -> tensor<2xf64> {
  %r = stablehlo.sine %x0 : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: tanh f64
// ops: tanh
// input: f64[2] {0, 1}
// expect: f64[2] {0, 0.7615941559557649}
// rtol: 1e-15
func.func @main(%x0: tensor<2xf64>) -> tensor<2xf64> {
  %r = stablehlo.tanh %x0 : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: logistic f64
// ops: logistic
// input: f64[2] {0, 1}
// expect: f64[2] {0.5, 0.7310585786300049}
// rtol: 1e-15
func.func @main(%x0: tensor<2xf64>) -> tensor<2xf64> {
  %r = stablehlo.logistic %x0 : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
// -----
// vector: exponential narrow
// ops: exponential
// types: bf16 f16
// input: ELT[1] 1
// expect: ELT[1] 2.71875
// rtol: 0.01
func.func @main(%x0: tensor<1xELT>) -> tensor<1xELT> {
  %r = stablehlo.exponential %x0 : (tensor<1xELT>) -> tensor<1xELT>
  return %r : tensor<1xELT>
}
// -----
// vector: tanh narrow
// ops: tanh
// types: bf16 f16
// input: ELT[1] 1
// expect: ELT[1] 0.76171875
// rtol: 0.01
func.func @main(%x0: tensor<1xELT>) -> tensor<1xELT> {
  %r = stablehlo.tanh %x0 : (tensor<1xELT>) -> tensor<1xELT>
  return %r : tensor<1xELT>
}
// -----
// vector: logistic narrow
// ops: logistic
// types: bf16 f16
// input: ELT[1] 1
// expect: ELT[1] 0.73046875
// rtol: 0.01
func.func @main(%x0: tensor<1xELT>) -> tensor<1xELT> {
  %r = stablehlo.logistic %x0 : (tensor<1xELT>) -> tensor<1xELT>
  return %r : tensor<1xELT>
}
// -----
// vector: cosine narrow
// ops: cosine
// types: bf16 f16
// input: ELT[1] 1
// expect: ELT[1] 0.5403
// rtol: 0.01
func.func @main(%x0: tensor<1xELT>) -> tensor<1xELT> {
  %r = stablehlo.cosine %x0 : (tensor<1xELT>) -> tensor<1xELT>
  return %r : tensor<1xELT>
}
