// vector: scatter
// ops: scatter
// types: s64 u32 f32 f64 bf16 c64
// input: ELT[2,3,4,2] {{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{9, 10}, {11, 12}, {13, 14}, {15, 16}}, {{17, 18}, {19, 20}, {21, 22}, {23, 24}}}, {{{25, 26}, {27, 28}, {29, 30}, {31, 32}}, {{33, 34}, {35, 36}, {37, 38}, {39, 40}}, {{41, 42}, {43, 44}, {45, 46}, {47, 48}}}}
// input: s64[2,2,3,2] {{{{0,0},{1,0},{2,1}},{{0,1},{1,1},{0,9}}},{{{0,0},{2,1},{2,2}},{{1,2},{0,1},{1,0}}}}
// input: ELT[2,2,3,2,2] 1
// expect: ELT[2,3,4,2] {{{{3,4},{6,7},{6,7},{7,8}},{{9,10},{11,12},{15,16},{17,18}},{{17,18},{19,20},{22,23},{24,25}}},{{{25,26},{28,29},{30,31},{31,32}},{{35,36},{38,39},{38,39},{39,40}},{{41,42},{44,45},{46,47},{47,48}}}}
func.func @main(%x0: tensor<2x3x4x2xELT>, %x1: tensor<2x2x3x2xi64>, %x2: tensor<2x2x3x2x2xELT>) -> tensor<2x3x4x2xELT> {
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.add %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>, indices_are_sorted = false, unique_indices = false} : (tensor<2x3x4x2xELT>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xELT>) -> tensor<2x3x4x2xELT>
  return %r : tensor<2x3x4x2xELT>
}
// -----
// vector: scatter i1
// ops: scatter
// input: pred[3] {0,0,1}
// input: s32[2] {1,9}
// input: pred[2] {1,1}
// expect: pred[3] {0,1,1}
func.func @main(%x0: tensor<3xi1>, %x1: tensor<2xi32>, %x2: tensor<2xi1>) -> tensor<3xi1> {
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
// -----
// vector: select_and_scatter
// ops: select_and_scatter
// types: s32 u8 f32 bf16 f64 c64
// input: ELT[4,2] {{1,5},{2,5},{3,6},{4,4}}
// input: ELT[2,2] {{5,6},{7,8}}
// input: ELT[] 0
// expect: ELT[4,2] {{0,0},{0,0},{5,14},{7,0}}
func.func @main(%x0: tensor<4x2xELT>, %x1: tensor<2x2xELT>, %x2: tensor<ELT>) -> tensor<4x2xELT> {
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %p = stablehlo.compare GE, %a, %b : (tensor<ELT>, tensor<ELT>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<ELT>, %b: tensor<ELT>):
    %s = stablehlo.add %a, %b : tensor<ELT>
    stablehlo.return %s : tensor<ELT>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xELT>, tensor<2x2xELT>, tensor<ELT>) -> tensor<4x2xELT>
  return %r : tensor<4x2xELT>
}
// -----
// vector: select_and_scatter figure
// ops: select_and_scatter
// input: f32[4,5] {{7,2,5,3,8},{3,8,9,3,4},{1,5,7,5,6},{0,6,2,10,2}}
// input: f32[2,2] {{2,6},{3,1}}
// input: f32[] 0
// expect: f32[4,5] {{0,0,0,0,0},{0,0,8,0,0},{0,0,3,0,0},{0,0,0,1,0}}
func.func @main(%x0: tensor<4x5xf32>, %x1: tensor<2x2xf32>, %x2: tensor<f32>) -> tensor<4x5xf32> {
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<4x5xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
// -----
// vector: select_and_scatter i1
// ops: select_and_scatter
// input: pred[2] {0,1}
// input: pred[1] {1}
// input: pred[] false
// expect: pred[2] {0,1}
func.func @main(%x0: tensor<2xi1>, %x1: tensor<1xi1>, %x2: tensor<i1>) -> tensor<2xi1> {
  %r = "stablehlo.select_and_scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>} : (tensor<2xi1>, tensor<1xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: scatter one update at 1
// ops: scatter
// input: f32[3] 0
// input: s32[1] {1}
// input: f32[] 5
// expect: f32[3] {0,5,0}
func.func @main(%x0: tensor<3xf32>, %x1: tensor<1xi32>, %x2: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf32>, tensor<1xi32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
// -----
// vector: scatter one update at 7
// ops: scatter
// input: f32[3] 0
// input: s32[1] {7}
// input: f32[] 5
// expect: f32[3] 0
func.func @main(%x0: tensor<3xf32>, %x1: tensor<1xi32>, %x2: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.scatter"(%x0, %x1, %x2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>} : (tensor<3xf32>, tensor<1xi32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
