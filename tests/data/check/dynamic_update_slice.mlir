// dynamic_update_slice SI
func.func @dynamic_update_slice_s8() {
  %x0 = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xi8>
  %x1 = stablehlo.constant dense<1> : tensor<2x2xi8>
  %x2 = stablehlo.constant dense<-1> : tensor<i64>
  %x3 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xi8>, tensor<2x2xi8>, tensor<i64>, tensor<i64>) -> tensor<4x4xi8>
  check.expect_eq_const %r, dense<1> : tensor<4x4xi8>
  return
}

// dynamic_update_slice UI
func.func @dynamic_update_slice_u32() {
  %x0 = stablehlo.constant dense<[[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]> : tensor<4x4xui32>
  %x1 = stablehlo.constant dense<1> : tensor<2x2xui32>
  %x2 = stablehlo.constant dense<-1> : tensor<i64>
  %x3 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xui32>, tensor<2x2xui32>, tensor<i64>, tensor<i64>) -> tensor<4x4xui32>
  check.expect_eq_const %r, dense<1> : tensor<4x4xui32>
  return
}

// dynamic_update_slice F
func.func @dynamic_update_slice_bf16() {
  %x0 = stablehlo.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xbf16>
  %x1 = stablehlo.constant dense<1.0> : tensor<2x2xbf16>
  %x2 = stablehlo.constant dense<-1> : tensor<i64>
  %x3 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xbf16>, tensor<2x2xbf16>, tensor<i64>, tensor<i64>) -> tensor<4x4xbf16>
  check.expect_eq_const %r, dense<1.0> : tensor<4x4xbf16>
  return
}

// dynamic_update_slice F
func.func @dynamic_update_slice_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf32>
  %x1 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %x2 = stablehlo.constant dense<-1> : tensor<i64>
  %x3 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
  check.expect_eq_const %r, dense<1.0> : tensor<4x4xf32>
  return
}

// dynamic_update_slice F
func.func @dynamic_update_slice_f64() {
  %x0 = stablehlo.constant dense<[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<4x4xf64>
  %x1 = stablehlo.constant dense<1.0> : tensor<2x2xf64>
  %x2 = stablehlo.constant dense<-1> : tensor<i64>
  %x3 = stablehlo.constant dense<3> : tensor<i64>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x4xf64>, tensor<2x2xf64>, tensor<i64>, tensor<i64>) -> tensor<4x4xf64>
  check.expect_eq_const %r, dense<1.0> : tensor<4x4xf64>
  return
}

// dynamic_update_slice C: dynamic_update_slice complex
func.func @dynamic_update_slice_c64() {
  %x0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<3xcomplex<f32>>
  %x1 = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  %x2 = stablehlo.constant dense<5> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<3xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (0.0, 0.0), (1.0, 2.0)]> : tensor<3xcomplex<f32>>
  return
}

// dynamic_update_slice B: dynamic_update_slice i1
func.func @dynamic_update_slice_pred() {
  %x0 = stablehlo.constant dense<[false, false, false]> : tensor<3xi1>
  %x1 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %x2 = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<3xi1>, tensor<1xi1>, tensor<i32>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, false]> : tensor<3xi1>
  return
}

// dynamic_update_slice F: dynamic_update_slice XLA 1
func.func @dynamic_update_slice_f32_2() {
  %x0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %x1 = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %x2 = stablehlo.constant dense<2> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2 : (tensor<5xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0, 5.0, 6.0, 4.0]> : tensor<5xf32>
  return
}

// dynamic_update_slice F: dynamic_update_slice XLA 2
func.func @dynamic_update_slice_f32_3() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %x1 = stablehlo.constant dense<[[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]]> : tensor<3x2xf32>
  %x2 = stablehlo.constant dense<1> : tensor<i32>
  %x3 = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x0, %x1, %x2, %x3 : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  check.expect_eq_const %r, dense<[[0.0, 1.0, 2.0], [3.0, 12.0, 13.0], [6.0, 14.0, 15.0], [9.0, 16.0, 17.0]]> : tensor<4x3xf32>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// dynamic_update_slice Q
func.func @dynamic_update_slice_q8() {
  %i = stablehlo.constant dense<1> : tensor<i64>
  %j = stablehlo.constant dense<5> : tensor<i64>
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %u_real = stablehlo.constant dense<[[7.0, 8.0]]> : tensor<1x2xf32>
  %u = stablehlo.uniform_quantize %u_real : (tensor<1x2xf32>) -> tensor<1x2x!q8>
  %r = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<2x3x!q8>, tensor<1x2x!q8>, tensor<i64>, tensor<i64>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, 15, 17]]> : tensor<2x3xi8>
  return
}
