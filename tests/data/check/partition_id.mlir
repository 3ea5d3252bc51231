// partition_id UI: partition_id alone
func.func @partition_id_u32() {
  %r = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %r, dense<0> : tensor<ui32>
  return
}
