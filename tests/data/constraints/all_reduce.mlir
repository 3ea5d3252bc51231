// all_reduce: 7 constraints
!in = tensor<4xf32>
!acc = tensor<f32>
!out = tensor<4xf32>
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (!in) -> !out
  return %0 : !out
}
}
// C1: dense<[[0, 1]]> => dense<[[0, 0]]>
// C3: dense<[[0, 1]]> => dense<[[0, 2]]>
// C4: channel_handle = => use_global_device_ids, channel_handle =
// C5: !acc = tensor<f32> => !acc = tensor<f16>
// C5: !acc = tensor<f32> => !acc = tensor<i32>
// C6: !out = tensor<4xf32> => !out = tensor<2x2xf32>
// C7: !out = tensor<4xf32> => !out = tensor<4xf64>
// C2: num_replicas = 2 => num_replicas = 3
