// reduce_scatter B: reduce_scatter alone
func.func @reduce_scatter_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.add %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

// reduce_scatter SI: reduce_scatter alone
func.func @reduce_scatter_s32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi32>
  return
}

// reduce_scatter UI: reduce_scatter alone
func.func @reduce_scatter_u8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %s : tensor<ui8>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui8>
  return
}

// reduce_scatter F: reduce_scatter alone
func.func @reduce_scatter_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xf32>
  return
}

// reduce_scatter C: reduce_scatter alone
func.func @reduce_scatter_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

!q8 = !quant.uniform<i8:f32, 0.5:1>

// reduce_scatter Q: of one process
func.func @reduce_scatter_q8() {
  %a_real = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %a = stablehlo.uniform_quantize %a_real : (tensor<2x3xf32>) -> tensor<2x3x!q8>
  %r = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<!q8>, %y: tensor<!q8>):
    %sum = stablehlo.add %x, %y : tensor<!q8>
    stablehlo.return %sum : tensor<!q8>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x3x!q8>) -> tensor<2x3x!q8>
  check.expect_eq_const %r, dense<[[3, 5, 7], [9, -9, 13]]> : tensor<2x3xi8>
  return
}
