// vector: all_gather
// ops: all_gather
// replicas: 2
// input: s64[2,2] {{1, 2}, {3, 4}}
// input: s64[2,2] {{11, 12}, {13, 14}}
// input: s64[2,2] {{5, 6}, {7, 8}}
// input: s64[2,2] {{15, 16}, {17, 18}}
// expect: s64[2,4] {{1, 2, 5, 6}, {3, 4, 7, 8}}
// expect: s64[2,4] {{11, 12, 15, 16}, {13, 14, 17, 18}}
// expect: s64[2,4] {{1, 2, 5, 6}, {3, 4, 7, 8}}
// expect: s64[2,4] {{11, 12, 15, 16}, {13, 14, 17, 18}}
func.func @main(%x0: tensor<2x2xi64>, %x1: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>) {
  %r:2 = "stablehlo.all_gather"(%x0, %x1) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  return %r#0, %r#1 : tensor<2x4xi64>, tensor<2x4xi64>
}
// -----
// vector: all_gather XLA
// ops: all_gather
// replicas: 2
// input: f32[2] {1,2.5}
// input: f32[2] {3,5.25}
// expect: f32[4] {1,2.5,3,5.25}
// expect: f32[4] {1,2.5,3,5.25}
func.func @main(%x0: tensor<2xf32>) -> tensor<4xf32> {
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// vector: all_reduce
// ops: all_reduce
// replicas: 2
// input: s64[4] {1, 2, 3, 4}
// input: s64[4] {9, 10, 11, 12}
// input: s64[4] {5, 6, 7, 8}
// input: s64[4] {13, 14, 15, 16}
// expect: s64[4] {6, 8, 10, 12}
// expect: s64[4] {22, 24, 26, 28}
// expect: s64[4] {6, 8, 10, 12}
// expect: s64[4] {22, 24, 26, 28}
func.func @main(%x0: tensor<4xi64>, %x1: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %r:2 = "stablehlo.all_reduce"(%x0, %x1) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xi64>, tensor<4xi64>
}
// -----
// vector: all_reduce XLA
// ops: all_reduce
// replicas: 2
// input: f32[2] {1,2.5}
// input: f32[2] {3,5.25}
// expect: f32[2] {4,7.75}
// expect: f32[2] {4,7.75}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.all_reduce"(%x0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: cross-replica-sum
// ops: cross-replica-sum
// replicas: 2
// input: f32[2] {1,2.5}
// input: f32[2] {3,5.25}
// expect: f32[2] {4,7.75}
// expect: f32[2] {4,7.75}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.cross-replica-sum"(%x0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: all_to_all
// ops: all_to_all
// replicas: 2
// input: s64[2,4] {{1, 2, 3, 4}, {5, 6, 7, 8}}
// input: s64[2,4] {{17, 18, 19, 20}, {21, 22, 23, 24}}
// input: s64[2,4] {{9, 10, 11, 12}, {13, 14, 15, 16}}
// input: s64[2,4] {{25, 26, 27, 28}, {29, 30, 31, 32}}
// expect: s64[4,2] {{1, 2}, {5, 6}, {9, 10}, {13, 14}}
// expect: s64[4,2] {{17, 18}, {21, 22}, {25, 26}, {29, 30}}
// expect: s64[4,2] {{3, 4}, {7, 8}, {11, 12}, {15, 16}}
// expect: s64[4,2] {{19, 20}, {23, 24}, {27, 28}, {31, 32}}
func.func @main(%x0: tensor<2x4xi64>, %x1: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>) {
  %r:2 = "stablehlo.all_to_all"(%x0, %x1) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  return %r#0, %r#1 : tensor<4x2xi64>, tensor<4x2xi64>
}
// -----
// vector: reduce_scatter
// ops: reduce_scatter
// replicas: 2
// input: s64[2,4] {{1, 2, 3, 4}, {5, 6, 7, 8}}
// input: s64[2,4] {{9, 10, 11, 12}, {13, 14, 15, 16}}
// expect: s64[2,2] {{10, 12}, {18, 20}}
// expect: s64[2,2] {{14, 16}, {22, 24}}
func.func @main(%x0: tensor<2x4xi64>) -> tensor<2x2xi64> {
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x4xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}
// -----
// vector: reduce_scatter XLA
// ops: reduce_scatter
// replicas: 2
// input: f32[2] {1,2.25}
// input: f32[2] {3,5.25}
// expect: f32[1] {4}
// expect: f32[1] {7.5}
func.func @main(%x0: tensor<2xf32>) -> tensor<1xf32> {
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
// -----
// vector: collective_permute
// ops: collective_permute
// replicas: 3
// input: s64[2,2] {{1, 2}, {3, 4}}
// input: s64[2,2] {{5, 6}, {7, 8}}
// input: s64[2,2] {{9, 10}, {11, 12}}
// expect: s64[2,2] {{0, 0}, {0, 0}}
// expect: s64[2,2] {{1, 2}, {3, 4}}
// expect: s64[2,2] {{5, 6}, {7, 8}}
func.func @main(%x0: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %r = "stablehlo.collective_permute"(%x0) {source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}
// -----
// vector: collective_broadcast
// ops: collective_broadcast
// replicas: 4
// input: s64[1,2] {{1, 2}}
// input: s64[1,2] {{3, 4}}
// input: s64[1,2] {{5, 6}}
// input: s64[1,2] {{7, 8}}
// expect: s64[1,2] {{0, 0}}
// expect: s64[1,2] {{5, 6}}
// expect: s64[1,2] {{5, 6}}
// expect: s64[1,2] {{0, 0}}
func.func @main(%x0: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %r = "stablehlo.collective_broadcast"(%x0) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %r : tensor<1x2xi64>
}
// -----
// vector: replica_id
// ops: replica_id partition_id
// replicas: 2
// input: f32[] 1
// input: f32[] 1
// expect: u32[] 0
// expect: u32[] 0
// expect: u32[] 1
// expect: u32[] 0
func.func @main(%x0: tensor<f32>) -> (tensor<ui32>, tensor<ui32>) {
  %a = stablehlo.replica_id : tensor<ui32>
  %b = stablehlo.partition_id : tensor<ui32>
  return %a, %b : tensor<ui32>, tensor<ui32>
}
