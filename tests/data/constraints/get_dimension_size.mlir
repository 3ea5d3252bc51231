// get_dimension_size: 1 constraint
func.func @main(%x: tensor<2x3xf32>) -> tensor<i32> {
  %0 = "stablehlo.get_dimension_size"(%x) {dimension = 1 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// C1: dimension = 1 => dimension = 2
// C1: dimension = 1 => dimension = -1
