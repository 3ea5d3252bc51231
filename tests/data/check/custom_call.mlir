// custom_call: how a value is spread over devices; on one, the value itself
func.func @custom_call_sharding() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// custom_call: a check written as a custom call
func.func @custom_call_check() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.add %x, %x : tensor<2xf32>
  %expected = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%y, %expected) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
