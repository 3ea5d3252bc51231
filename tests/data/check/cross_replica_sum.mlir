// cross-replica-sum F: cross-replica-sum alone
func.func @cross_replica_sum_f32() {
  %x0 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = "stablehlo.cross-replica-sum"(%x0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[0.0, 1.0]> : tensor<2xf32>
  return
}
