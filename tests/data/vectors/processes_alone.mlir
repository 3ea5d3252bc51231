// vector: all_gather alone
// ops: all_gather
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.all_gather"(%x0) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: all_reduce alone
// ops: all_reduce
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.all_reduce"(%x0) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.add %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: cross-replica-sum alone
// ops: cross-replica-sum
// input: f32[2] {0,1}
// expect: f32[2] {0,1}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.cross-replica-sum"(%x0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: reduce_scatter alone
// ops: reduce_scatter
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.reduce_scatter"(%x0) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.add %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: all_to_all alone
// ops: all_to_all
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.all_to_all"(%x0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: collective_permute alone
// ops: collective_permute
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.collective_permute"(%x0) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: collective_broadcast alone
// ops: collective_broadcast
// types: pred s32 u8 f32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.collective_broadcast"(%x0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: replica_id alone
// ops: replica_id
// expect: u32[] 0
func.func @main() -> tensor<ui32> {
  %r = stablehlo.replica_id : tensor<ui32>
  return %r : tensor<ui32>
}
// -----
// vector: partition_id alone
// ops: partition_id
// expect: u32[] 0
func.func @main() -> tensor<ui32> {
  %r = stablehlo.partition_id : tensor<ui32>
  return %r : tensor<ui32>
}
// -----
// vector: collective_reduce alone
// ops: collective_reduce
// types: s32 f32
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.collective_reduce"(%x0) ({
    ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
      %s = stablehlo.add %a, %b : tensor<ELT>
      stablehlo.return %s : tensor<ELT>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: async_start of a slice, async_done
// ops: async_start async_done
// types: s32 f32
// input: ELT[3] {0,1,2}
// expect: ELT[2] {1,2}
func.func @main(%x0: tensor<3xELT>) -> tensor<2xELT> {
  %f = "stablehlo.async_start"(%x0) ({
    ^bb0(%a: tensor<3xELT>):
      %s = stablehlo.slice %a [1:3] : (tensor<3xELT>) -> tensor<2xELT>
      stablehlo.return %s : tensor<2xELT>
  }) : (tensor<3xELT>) -> !stablehlo.future<tensor<2xELT>>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xELT>>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
