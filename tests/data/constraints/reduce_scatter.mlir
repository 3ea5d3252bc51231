// reduce_scatter: 9 constraints
!in = tensor<2x4xf32>
!acc = tensor<f32>
!out = tensor<2x2xf32>
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: !acc, %b: !acc):
    %s = stablehlo.add %a, %b : !acc
    stablehlo.return %s : !acc
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (!in) -> !out
  return %0 : !out
}
}
// C1: !in = tensor<2x4xf32> => !in = tensor<2x5xf32>
// C2: scatter_dimension = 1 => scatter_dimension = 2
// C2: scatter_dimension = 1 => scatter_dimension = -1
// C3: dense<[[0, 1]]> => dense<[[0, 0]]>
// C5: dense<[[0, 1]]> => dense<[[0, 2]]>
// C6: channel_handle = => use_global_device_ids, channel_handle =
// C7: !acc = tensor<f32> => !acc = tensor<f16>
// C7: !acc = tensor<f32> => !acc = tensor<i32>
// C8: !out = tensor<2x2xf32> => !out = tensor<2x4xf32>
// C9: !out = tensor<2x2xf32> => !out = tensor<2x2xf64>
// C4: num_replicas = 2 => num_replicas = 4
