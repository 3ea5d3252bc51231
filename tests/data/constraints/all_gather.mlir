// all_gather: 6 constraints
!in = tensor<2x2xf32>
!out = tensor<2x4xf32>
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (!in) -> !out
  return %0 : !out
}
}
// C1: all_gather_dim = 1 => all_gather_dim = 2
// C1: all_gather_dim = 1 => all_gather_dim = -1
// C2: dense<[[0, 1]]> => dense<[[0, 0]]>
// C4: dense<[[0, 1]]> => dense<[[0, 2]]>
// C5: channel_handle = => use_global_device_ids, channel_handle =
// C6: !out = tensor<2x4xf32> => !out = tensor<4x2xf32>
// C6: !out = tensor<2x4xf32> => !out = tensor<2x4xf64>
// C3: num_replicas = 2 => num_replicas = 4
// C3: dense<[[0, 1]]> : tensor<1x2xi64> => dense<[[0]]> : tensor<1x1xi64> && !out = tensor<2x4xf32> => !out = tensor<2x2xf32>
