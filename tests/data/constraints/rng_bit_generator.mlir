// rng_bit_generator: 2 constraints
!state = tensor<2xui64>
!next = tensor<2xui64>
func.func @main(%s: !state) -> (!next, tensor<2x2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (!state) -> (!next, tensor<2x2xui64>)
  return %0#0, %0#1 : !next, tensor<2x2xui64>
}
// C1: !next = tensor<2xui64> => !next = tensor<3xui64>
// C1: !next = tensor<2xui64> => !next = tensor<2xui32>
// C2: !state = tensor<2xui64> => !state = tensor<3xui64> && !next = tensor<2xui64> => !next = tensor<3xui64>
// -----
!state = tensor<3xui64>
!next = tensor<3xui64>
func.func @main(%s: !state) -> (!next, tensor<4xf32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (!state) -> (!next, tensor<4xf32>)
  return %0#0, %0#1 : !next, tensor<4xf32>
}
// C2: !state = tensor<3xui64> => !state = tensor<4xui64> && !next = tensor<3xui64> => !next = tensor<4xui64>
// C2: !state = tensor<3xui64> => !state = tensor<1xui64> && !next = tensor<3xui64> => !next = tensor<1xui64>
