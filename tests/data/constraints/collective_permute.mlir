// collective_permute: 5 constraints
!out = tensor<2x2xf32>
module attributes {mhlo.num_replicas = 3 : i32} {
func.func @main(%x: tensor<2x2xf32>) -> !out {
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> !out
  return %0 : !out
}
}
// C1: dense<[[0, 1], [1, 2]]> : tensor<2x2xi64> => dense<[[0, 1, 2], [1, 2, 0]]> : tensor<2x3xi64>
// C2: dense<[[0, 1], [1, 2]]> => dense<[[0, 1], [0, 2]]>
// C3: dense<[[0, 1], [1, 2]]> => dense<[[0, 1], [2, 1]]>
// C4: dense<[[0, 1], [1, 2]]> => dense<[[0, -1], [1, 2]]>
// C5: !out = tensor<2x2xf32> => !out = tensor<2x2xf64>
// C5: !out = tensor<2x2xf32> => !out = tensor<4xf32>
// C4: num_replicas = 3 => num_replicas = 2
