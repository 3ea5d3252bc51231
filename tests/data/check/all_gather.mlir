// all_gather B: all_gather alone
func.func @all_gather_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// all_gather SI: all_gather alone
func.func @all_gather_s32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi32>
  return
}

// all_gather UI: all_gather alone
func.func @all_gather_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui8>
  return
}

// all_gather F: all_gather alone
func.func @all_gather_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xf32>
  return
}

// all_gather C: all_gather alone
func.func @all_gather_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// all_gather Q: of one process
func.func @all_gather_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13]]> : tensor<2x3xi8>
  return
}
