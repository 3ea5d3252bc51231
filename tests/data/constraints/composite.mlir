// composite: 4 constraints
!in = tensor<f32>
!out = tensor<f32>
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.composite"(%x) {name = "my.op", decomposition = @impl, version = 1 : i32} : (!in) -> !out
  return %0 : !out
}
func.func private @impl(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// C1: "my.op" => "myop"
// C1: "my.op" => "1my.op"
// C1: "my.op" => "my.op-x"
// C2: @impl, => @other,
// C3: !in = tensor<f32> => !in = tensor<f64>
// C3: (%x) {name => (%x, %x) {name && : (!in) -> !out => : (!in, !in) -> !out
// C4: !out = tensor<f32> => !out = tensor<f64>
