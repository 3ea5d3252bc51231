// all_to_all B: all_to_all alone
func.func @all_to_all_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// all_to_all SI: all_to_all alone
func.func @all_to_all_s32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi32>
  return
}

// all_to_all UI: all_to_all alone
func.func @all_to_all_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui8>
  return
}

// all_to_all F: all_to_all alone
func.func @all_to_all_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xf32>
  return
}

// all_to_all C: all_to_all alone
func.func @all_to_all_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// all_to_all Q: of one process
func.func @all_to_all_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13]]> : tensor<2x3xi8>
  return
}
