// all_to_all: 9 constraints
!in = tensor<2x4xf32>
!out = tensor<4x2xf32>
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: !in) -> !out {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (!in) -> !out
  return %0 : !out
}
}
// C1: split_dimension = 1 => split_dimension = 2
// C1: split_dimension = 1 => split_dimension = -1
// C2: !in = tensor<2x4xf32> => !in = tensor<2x5xf32>
// C3: concat_dimension = 0 => concat_dimension = 2
// C3: concat_dimension = 0 => concat_dimension = -1
// C4: split_count = 2 => split_count = 0
// C5: dense<[[0, 1]]> => dense<[[0, 0]]>
// C7: dense<[[0, 1]]> => dense<[[0, 2]]>
// C8: dense<[[0, 1]]> : tensor<1x2xi64> => dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
// C8: dense<[[0, 1]]> : tensor<1x2xi64> => dense<0> : tensor<0x3xi64>
// C9: !out = tensor<4x2xf32> => !out = tensor<2x4xf32>
// C9: !out = tensor<4x2xf32> => !out = tensor<4x2xf64>
// C6: num_replicas = 2 => num_replicas = 4
