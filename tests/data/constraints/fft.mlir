// fft: 5 constraints
!in = tensor<2x8xcomplex<f32>>
!out = tensor<2x8xcomplex<f32>>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2, 8>} : (!in) -> !out
  return %0 : !out
}
// C1: array<i64: 2, 8> => array<i64: 1, 2, 8>
// C2: !in = tensor<2x8xcomplex<f32>> => !in = tensor<2x8xf32>
// C2: !out = tensor<2x8xcomplex<f32>> => !out = tensor<2x8xcomplex<f64>>
// C3: array<i64: 2, 8> => array<i64>
// C3: tensor<2x8xcomplex<f32>> => tensor<2x2x2x8xcomplex<f32>> && array<i64: 2, 8> => array<i64: 2, 2, 2, 8>
// C5: !out = tensor<2x8xcomplex<f32>> => !out = tensor<2x5xcomplex<f32>>
// -----
!in = tensor<3x9xf32>
!out = tensor<3x5xcomplex<f32>>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (!in) -> !out
  return %0 : !out
}
// C2: !in = tensor<3x9xf32> => !in = tensor<3x9xcomplex<f32>>
// C2: !out = tensor<3x5xcomplex<f32>> => !out = tensor<3x5xcomplex<f64>>
// C4: array<i64: 9> => array<i64: 8>
// C5: !out = tensor<3x5xcomplex<f32>> => !out = tensor<3x9xcomplex<f32>>
// -----
!in = tensor<3x5xcomplex<f64>>
!out = tensor<3x9xf64>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 9>} : (!in) -> !out
  return %0 : !out
}
// C2: !out = tensor<3x9xf64> => !out = tensor<3x9xf32>
// C2: !in = tensor<3x5xcomplex<f64>> => !in = tensor<3x5xf64>
// C4: !out = tensor<3x9xf64> => !out = tensor<3x8xf64>
// C5: !in = tensor<3x5xcomplex<f64>> => !in = tensor<3x4xcomplex<f64>>
