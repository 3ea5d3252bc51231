// while: 3 constraints
!s = tensor<i32>
!c = tensor<i32>
!b = tensor<i32>
!n = tensor<i32>
!flag = tensor<i1>
!out = tensor<i32>
func.func @main(%x: !s, %l: !c) -> !out {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: !c):
    %p = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction LT>} : (!c, !c) -> !flag
    stablehlo.return %p : !flag
  }, {
  ^bb0(%a: !b):
    %n = stablehlo.convert %a : (!b) -> !n
    stablehlo.return %n : !n
  }) : (!s) -> !out
  return %0 : !out
}
// C1: !c = tensor<i32> => !c = tensor<i64>
// C1: stablehlo.return %p : !flag => stablehlo.return %a : !c
// C1: !flag = tensor<i1> => !flag = tensor<1xi1> && !s = tensor<i32> => !s = tensor<1xi32> && !c = tensor<i32> => !c = tensor<1xi32> && !b = tensor<i32> => !b = tensor<1xi32> && !n = tensor<i32> => !n = tensor<1xi32> && !out = tensor<i32> => !out = tensor<1xi32>
// C2: !b = tensor<i32> => !b = tensor<i64>
// C2: !n = tensor<i32> => !n = tensor<i64>
// C3: !out = tensor<i32> => !out = tensor<i64>
