// dynamic_slice SI
func.func @dynamic_slice_s8() {
  %x0 = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xi8>
  %x1 = stablehlo.constant dense<-1> : tensor<i64>
  %x2 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xi8>, tensor<i64>, tensor<i64>) -> tensor<2x2xi8>
  check.expect_eq_const %r, dense<[[1, 1], [1, 1]]> : tensor<2x2xi8>
  return
}

// dynamic_slice UI
func.func @dynamic_slice_u32() {
  %x0 = stablehlo.constant dense<[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<4x4xui32>
  %x1 = stablehlo.constant dense<-1> : tensor<i64>
  %x2 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xui32>, tensor<i64>, tensor<i64>) -> tensor<2x2xui32>
  check.expect_eq_const %r, dense<[[1, 1], [1, 1]]> : tensor<2x2xui32>
  return
}

// dynamic_slice F
func.func @dynamic_slice_bf16() {
  %x0 = stablehlo.constant dense<[[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xbf16>
  %x1 = stablehlo.constant dense<-1> : tensor<i64>
  %x2 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xbf16>, tensor<i64>, tensor<i64>) -> tensor<2x2xbf16>
  check.expect_eq_const %r, dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xbf16>
  return
}

// dynamic_slice F
func.func @dynamic_slice_f32() {
  %x0 = stablehlo.constant dense<[[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %x1 = stablehlo.constant dense<-1> : tensor<i64>
  %x2 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  return
}

// dynamic_slice C
func.func @dynamic_slice_c64() {
  %x0 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<4x4xcomplex<f32>>
  %x1 = stablehlo.constant dense<-1> : tensor<i64>
  %x2 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x4xcomplex<f32>>, tensor<i64>, tensor<i64>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %r, dense<[[(1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  return
}

// dynamic_slice F: dynamic_slice XLA 1
func.func @dynamic_slice_f32_2() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.dynamic_slice %x0, %x1, sizes = [2] : (tensor<5xf32>, tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[2.0, 3.0]> : tensor<2xf32>
  return
}

// dynamic_slice F: dynamic_slice XLA 2
func.func @dynamic_slice_f32_3() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %x1 = stablehlo.constant dense<2> : tensor<ui32>
  %x2 = stablehlo.constant dense<1> : tensor<ui32>
  %r = stablehlo.dynamic_slice %x0, %x1, %x2, sizes = [2, 2] : (tensor<4x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x2xf32>
  check.expect_eq_const %r, dense<[[7.0, 8.0], [10.0, 11.0]]> : tensor<2x2xf32>
  return
}

// dynamic_slice B: dynamic_slice i1
func.func @dynamic_slice_pred() {
  %x0 = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %x1 = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.dynamic_slice %x0, %x1, sizes = [2] : (tensor<3xi1>, tensor<i32>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[true, true]> : tensor<2xi1>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_slice Q: the start is clamped
func.func @dynamic_slice_q8() {
  %i = stablehlo.constant dense<1> : tensor<i64>
  %j = stablehlo.constant dense<5> : tensor<i64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 2] : (tensor<2x3x!q8>, tensor<i64>, tensor<i64>) -> tensor<1x2x!q8>
  check.expect_eq_const %r, dense<[[-9, 13]]> : tensor<1x2xi8>
  return
}
