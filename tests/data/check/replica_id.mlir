// replica_id UI: replica_id alone
func.func @replica_id_u32() {
  %r = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %r, dense<0> : tensor<ui32>
  return
}
