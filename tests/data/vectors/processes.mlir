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
// -----
// vector: collective_reduce, the first member of a group gets the sum
// ops: collective_reduce
// replicas: 3
// input: s64[2] {1, 2}
// input: s64[2] {10, 20}
// input: s64[2] {100, 200}
// expect: s64[2] {0, 0}
// expect: s64[2] {0, 0}
// expect: s64[2] {111, 222}
func.func @main(%x: tensor<2xi64>) -> tensor<2xi64> {
  %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
// -----
// vector: collective_reduce of two arrays to the members that roots say, ids of processes
// ops: collective_reduce
// replicas: 2
// input: f32[] 1
// input: f32[] 5
// input: s32[2] {1, 0}
// input: f32[] 2
// input: f32[] 7
// input: s32[2] {1, 0}
// expect: f64[] 0
// expect: f64[] 12
// expect: f64[] 3
// expect: f64[] 0
func.func @main(%x: tensor<f32>, %y: tensor<f32>, %roots: tensor<2xi32>) -> (tensor<f64>, tensor<f64>) {
  %r:2 = "stablehlo.collective_reduce"(%x, %y, %roots) ({
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %s = stablehlo.add %a, %b : tensor<f64>
      stablehlo.return %s : tensor<f64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}
     : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> (tensor<f64>, tensor<f64>)
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}
// -----
// vector: collective_reduce over replicas and partitions
// ops: collective_reduce
// replicas: 2
// input: s64[] 4
// input: s64[] 5
// expect: s64[] 0
// expect: s64[] 9
func.func @main(%x: tensor<i64>) -> tensor<i64> {
  %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
// -----
// vector: collective_broadcast of two arrays from the members that roots say
// ops: collective_broadcast
// replicas: 2
// input: s64[2] {1, 2}
// input: s64[2] {5, 6}
// input: s32[2] {0, 1}
// input: s64[2] {3, 4}
// input: s64[2] {7, 8}
// input: s32[2] {0, 1}
// expect: s64[2] {1, 2}
// expect: s64[2] {7, 8}
// expect: s64[2] {1, 2}
// expect: s64[2] {7, 8}
func.func @main(%x: tensor<2xi64>, %y: tensor<2xi64>, %roots: tensor<2xi32>) -> (tensor<2xi64>, tensor<2xi64>) {
  %r:2 = "stablehlo.collective_broadcast"(%x, %y, %roots) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root
  } : (tensor<2xi64>, tensor<2xi64>, tensor<2xi32>) -> (tensor<2xi64>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2xi64>
}
// -----
// vector: async_start of an all_gather, async_done
// ops: async_start async_done
// replicas: 2
// input: s64[1] {3}
// input: s64[1] {4}
// expect: s64[2] {3, 4}
// expect: s64[2] {3, 4}
func.func @main(%x: tensor<1xi64>) -> tensor<2xi64> {
  %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<1xi64>):
      %g = "stablehlo.all_gather"(%a) {
        all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
      } : (tensor<1xi64>) -> tensor<2xi64>
      stablehlo.return %g : tensor<2xi64>
  }) : (tensor<1xi64>) -> !stablehlo.future<tensor<2xi64>>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi64>>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
