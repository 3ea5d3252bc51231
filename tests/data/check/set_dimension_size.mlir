// set_dimension_size SI: set_dimension_size full
func.func @set_dimension_size_s32() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<10xi32>
  %n = stablehlo.constant dense<10> : tensor<i32>
  %v = stablehlo.set_dimension_size %x0, %n, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<10xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %p = stablehlo.reduce(%v init: %o) applies stablehlo.multiply across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %s, dense<55> : tensor<i32>
  check.expect_eq_const %p, dense<3628800> : tensor<i32>
  return
}
