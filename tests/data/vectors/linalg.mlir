// vector: cholesky
// ops: cholesky
// input: f32[3,3] {{1, 2, 3}, {2, 20, 26}, {3, 26, 70}}
// expect: f32[3,3] {{1,0,0},{2,4,0},{3,5,6}}
// rtol: 1e-06
func.func @main(%x0: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c = stablehlo.cholesky %x0, lower = true : tensor<3x3xf32>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
// -----
// vector: cholesky f64
// ops: cholesky
// input: f64[3,3] {{1, 2, 3}, {2, 20, 26}, {3, 26, 70}}
// expect: f64[3,3] {{1,0,0},{2,4,0},{3,5,6}}
// rtol: 1e-14
func.func @main(%x0: tensor<3x3xf64>) -> tensor<3x3xf64> {
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf64>
  %c = stablehlo.cholesky %x0, lower = true : tensor<3x3xf64>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf64>
  return %r : tensor<3x3xf64>
}
// -----
// vector: cholesky upper
// ops: cholesky
// input: f32[3,3] {{1, 2, 3}, {2, 20, 26}, {3, 26, 70}}
// expect: f32[3,3] {{1,2,3},{0,4,5},{0,0,6}}
// rtol: 1e-06
func.func @main(%x0: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %m = stablehlo.compare LE, %i, %j : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %z = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c = stablehlo.cholesky %x0, lower = false : tensor<3x3xf32>
  %r = stablehlo.select %m, %c, %z : tensor<3x3xi1>, tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
// -----
// vector: cholesky complex
// ops: cholesky
// input: c64[1,1] {{(4, 0)}}
// expect: c64[1,1] {{(2, 0)}}
// rtol: 1e-06
func.func @main(%x0: tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>> {
  %r = stablehlo.cholesky %x0, lower = true : tensor<1x1xcomplex<f32>>
  return %r : tensor<1x1xcomplex<f32>>
}
// -----
// vector: triangular_solve
// ops: triangular_solve
// types: f32 f64 c64
// input: ELT[3,3] {{1,0,0},{2,4,0},{3,5,6}}
// input: ELT[3,3] {{2,0,0},{4,8,0},{6,10,12}}
// expect: ELT[3,3] {{2,0,0},{0,2,0},{0,0,2}}
// atol: 1e-06
func.func @main(%x0: tensor<3x3xELT>, %x1: tensor<3x3xELT>) -> tensor<3x3xELT> {
  %r = "stablehlo.triangular_solve"(%x0, %x1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xELT>, tensor<3x3xELT>) -> tensor<3x3xELT>
  return %r : tensor<3x3xELT>
}
// -----
// vector: fft
// ops: fft
// input: c64[4] {(1,0),(0,0),(0,0),(0,0)}
// expect: c64[4] (1,0)
// atol: 1e-06
func.func @main(%x0: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = stablehlo.fft %x0, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}
// -----
// vector: fft c128
// ops: fft
// input: c128[4] {(1,0),(0,0),(0,0),(0,0)}
// expect: c128[4] (1,0)
// atol: 1e-14
func.func @main(%x0: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %r = stablehlo.fft %x0, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return %r : tensor<4xcomplex<f64>>
}
// -----
// vector: fft inverse
// ops: fft
// input: c64[4] (1,0)
// expect: c64[4] {(1,0),(0,0),(0,0),(0,0)}
// atol: 1e-06
func.func @main(%x0: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = stablehlo.fft %x0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}
// -----
// vector: fft real
// ops: fft
// input: f32[4] {1,0,0,0}
// expect: c64[3] (1,0)
// atol: 1e-06
func.func @main(%x0: tensor<4xf32>) -> tensor<3xcomplex<f32>> {
  %r = stablehlo.fft %x0, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %r : tensor<3xcomplex<f32>>
}
// -----
// vector: fft real inverse
// ops: fft
// input: c64[3] (1,0)
// expect: f32[4] {1,0,0,0}
// atol: 1e-06
func.func @main(%x0: tensor<3xcomplex<f32>>) -> tensor<4xf32> {
  %r = stablehlo.fft %x0, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
