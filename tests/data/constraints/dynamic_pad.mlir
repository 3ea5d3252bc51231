// dynamic_pad: 4 constraints
!in = tensor<2x3xi32>
!value = tensor<i32>
!low = tensor<2xi64>
!high = tensor<2xi64>
!interior = tensor<2xi64>
!out = tensor<5x9xi32>
func.func @main(%x: !in, %v: !value, %l: !low, %h: !high, %i: !interior) -> !out {
  %0 = "stablehlo.dynamic_pad"(%x, %v, %l, %h, %i) : (!in, !value, !low, !high, !interior) -> !out
  return %0 : !out
}
// C1: !value = tensor<i32> => !value = tensor<i64>
// C1: !out = tensor<5x9xi32> => !out = tensor<5x9xi64>
// C2: !low = tensor<2xi64> => !low = tensor<1xi64>
// C2: !high = tensor<2xi64> => !high = tensor<3xi64>
// C2: !interior = tensor<2xi64> => !interior = tensor<0xi64>
// C4: !out = tensor<5x9xi32> => !out = tensor<5x9x1xi32>
// -----
!out = tensor<5x9xi32>
func.func @main(%x: tensor<2x3xi32>, %v: tensor<i32>) -> !out {
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %h = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> !out
  return %0 : !out
}
// C3: dense<[1, 2]> => dense<[-1, 2]>
// C4: dense<[0, 1]> => dense<[-6, 1]>
// C4: !out = tensor<5x9xi32> => !out = tensor<5x8xi32>
