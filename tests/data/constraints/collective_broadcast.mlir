// collective_broadcast: 3 constraints
!out = tensor<1x2xi64>
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<1x2xi64>) -> !out {
  %0 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<1x2xi64>) -> !out
  return %0 : !out
}
}
// C1: dense<[[2, 1]]> => dense<[[1, 1]]>
// C2: dense<[[2, 1]]> => dense<[[-2, 1]]>
// C3: !out = tensor<1x2xi64> => !out = tensor<2x1xi64>
// C2: num_replicas = 4 => num_replicas = 2
