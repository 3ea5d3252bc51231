// reduce_precision: 3 constraints
!out = tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> !out {
  %0 = "stablehlo.reduce_precision"(%x) {exponent_bits = 1 : i32, mantissa_bits = 0 : i32} : (tensor<2xf32>) -> !out
  return %0 : !out
}
// C1: !out = tensor<2xf32> => !out = tensor<2xf16>
// C1: !out = tensor<2xf32> => !out = tensor<3xf32>
// C2: exponent_bits = 1 => exponent_bits = 0
// C3: mantissa_bits = 0 => mantissa_bits = -1
