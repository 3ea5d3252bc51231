// iota: 1 constraint
!out = tensor<4x5xi32>
func.func @main() -> !out {
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> !out
  return %0 : !out
}
// C1: iota_dimension = 1 => iota_dimension = 2
// C1: iota_dimension = 1 => iota_dimension = -1
// C1: !out = tensor<4x5xi32> => !out = tensor<i32>
