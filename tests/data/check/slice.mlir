// slice SI
func.func @slice_s8() {
  %x0 = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xi8>
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xi8>) -> tensor<2x2xi8>
  check.expect_eq_const %r, dense<[[1, 1], [1, 1]]> : tensor<2x2xi8>
  return
}

// slice UI
func.func @slice_u32() {
  %x0 = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xui32>
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %r, dense<[[1, 1], [1, 1]]> : tensor<2x2xui32>
  return
}

// slice F
func.func @slice_bf16() {
  %x0 = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]> : tensor<3x4xbf16>
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xbf16>
  return
}

// slice F
func.func @slice_f32() {
  %x0 = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]> : tensor<3x4xf32>
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  return
}

// slice C
func.func @slice_c64() {
  %x0 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x4xcomplex<f32>>
  %r = stablehlo.slice %x0 [1:3, 2:4] : (tensor<3x4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// slice SI: slice S-PRE
func.func @slice_s32() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %r = stablehlo.slice %x0 [1:2, 1:3] : (tensor<3x4xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %r, dense<[[5, 6]]> : tensor<1x2xi32>
  return
}

// slice F: slice XLA 1
func.func @slice_f32_2() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %r = stablehlo.slice %x0 [2:4] : (tensor<5xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[2.0, 3.0]> : tensor<2xf32>
  return
}

// slice F: slice XLA 2
func.func @slice_f32_3() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %r = stablehlo.slice %x0 [2:4, 1:3] : (tensor<4x3xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[7.0, 8.0], [10.0, 11.0]]> : tensor<2x2xf32>
  return
}

// slice B: slice i1
func.func @slice_pred() {
  %x0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %r = stablehlo.slice %x0 [0:3:2] : (tensor<3xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// slice Q
func.func @slice_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.slice %a [0:2, 1:3] : (tensor<2x3x!q8>) -> tensor<2x2x!q8>
  check.expect_eq_const %r, dense<[[5, 7], [-9, 13]]> : tensor<2x2xi8>
  return
}
