// dynamic_iota: 2 constraints
!shape = tensor<2xi64>
!out = tensor<?x5xi32>
func.func @main(%s: !shape) -> !out {
  %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 1 : i64} : (!shape) -> !out
  return %0 : !out
}
// C1: iota_dimension = 1 => iota_dimension = 2
// C1: iota_dimension = 1 => iota_dimension = -1
// C2: !shape = tensor<2xi64> => !shape = tensor<3xi64>
// C2: !out = tensor<?x5xi32> => !out = tensor<?x5x1xi32>
// -----
!out = tensor<4x5xi32>
func.func @main(%s: tensor<2xi32>) -> !out {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> !out
  return %0 : !out
}
// C1: dim = 0 => dim = 2
