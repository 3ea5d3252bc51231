// What came after 0.9.0, a module per version; the first line of each names it.
// -----
// 0.10.0
func.func public @main(%x: tensor<2xf8E4M3FNUZ>, %y: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E4M3FNUZ> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2FNUZ>
  return %x : tensor<2xf8E4M3FNUZ>
}
// -----
// 0.11.0
func.func public @main(%x: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
  return %x : tensor<2xf8E4M3B11FNUZ>
}
// -----
// 0.16.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// 0.17.0
func.func public @main(%x: tensor<4x6xf32>, %s: tensor<f64>, %z: tensor<f32>) -> tensor<6xf64> {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}
// -----
// 0.19.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "my.op" %x {composite_attributes = {f = 2.5 : f32, n = 1 : i64, s = "t"}, decomposition = @impl, version = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "my.other" %0 {decomposition = @impl} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @impl(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
// -----
// 1.1.0
func.func public @main(%x: tensor<3x2x4x7xi32>, %i: tensor<4x3x5x2xi32>, %u: tensor<4x3x5x5xi32>) -> tensor<3x2x4x7xi32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1, 3], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 5>}> : (tensor<3x2x4x7xi32>, tensor<4x3x5x2xi32>) -> tensor<4x3x5x5xi32>
  return %x : tensor<3x2x4x7xi32>
}
// -----
// 1.2.0
func.func public @main(%x: tensor<2xi2>, %y: tensor<2xui2>) -> tensor<2xi2> {
  %0 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %1 = stablehlo.constant dense<[0, 3]> : tensor<2xui2>
  return %0 : tensor<2xi2>
}
// -----
// 1.3.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @ffi(%x) {api_version = 4 : i32, backend_config = {a = [1, 2], f = 2.5 : f32, n = 1 : i64, on = true, s = "t", z = {t = dense<[1, 2]> : tensor<2xi64>}}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @ffi(%0) {api_version = 4 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
// 1.4.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// 1.5.0
func.func public @main(%x: tensor<2x4xf32>, %y: tensor<2x4xi32>) -> tensor<2x8xf32> {
  %0:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  %1:2 = "stablehlo.all_to_all"(%x, %x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  %2:2 = "stablehlo.all_reduce"(%x, %x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %20 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %20 : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return %0#0 : tensor<2x8xf32>
}
// -----
// 1.6.0
func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// 1.7.0
func.func public @main(%x: tensor<2xf8E4M3>, %y: tensor<2xf8E3M4>) -> tensor<2xf8E4M3> {
  return %x : tensor<2xf8E4M3>
}
// -----
// 1.8.0
func.func public @main(%x: tensor<2xf4E2M1FN>, %y: tensor<2xf6E2M3FN>, %z: tensor<2xf6E3M2FN>, %w: tensor<2xf8E8M0FNU>) -> tensor<2xf4E2M1FN> {
  %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf4E2M1FN>
  %1 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf6E2M3FN>
  return %x : tensor<2xf4E2M1FN>
}
// -----
// 1.9.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  %1 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// 1.10.0
func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<atol = 0.5, rtol = 0.25, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  %1 = stablehlo.cbrt %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  %2 = stablehlo.tan %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
// -----
// 1.11.0
func.func public @main(%x: tensor<4x5xf32>, %g: tensor<3xi64>) -> tensor<4x5xf32> {
  %0 = chlo.erf %x : tensor<4x5xf32> -> tensor<4x5xf32>
  %1, %2 = chlo.top_k(%0, k = 3) : tensor<4x5xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %3 = chlo.broadcast_compare %0, %x {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
  return %0 : tensor<4x5xf32>
}
// -----
// 1.12.0
func.func public @main(%x: tensor<2x4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
  return %1#1 : !stablehlo.token
}
// -----
// 1.15.0
func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2x3xf32>):
    %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
    stablehlo.return %2 : tensor<2x6xf32>
  }) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<2x6xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x6xf32>>) -> tensor<2x6xf32>
  return %1 : tensor<2x6xf32>
}
// -----
// 1.16.0
func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "foo", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "foo", sub_axis_info = (1)2>]>}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
// -----
// 1.11.0
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @ids = <["x"=2], device_ids=[1, 0]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(2)2}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}], replicated={"x"}>}, %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"x"}, unreduced={"y"}>}) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.add %0, %b : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// -----
// 1.11.0
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @product(%a, %b) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=16} reduction={k}, custom>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1:2 = stablehlo.custom_call @pair(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {}], replicated={"y"}>, <@mesh, [{}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([ij, k], [ij, k]) {i=2, j=4, k=4} need_replication={j} permutation={k} blocked_propagation={i}>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %2 = stablehlo.custom_call @inner(%1#1) {sdy.axes = #sdy<manual_axes{"x", "y"}>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"y"}>]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
