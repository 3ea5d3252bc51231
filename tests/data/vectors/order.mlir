// vector: sort
// ops: sort
// types: s64 s8 u32 f32 bf16 f64
// input: ELT[2,3] {{1,2,3},{3,2,1}}
// input: ELT[2,3] {{3,2,1},{1,2,3}}
// expect: ELT[2,3] {{3,2,3},{1,2,1}}
// expect: ELT[2,3] {{1,2,1},{3,2,3}}
func.func @main(%x0: tensor<2x3xELT>, %x1: tensor<2x3xELT>) -> (tensor<2x3xELT>, tensor<2x3xELT>) {
  %r:2 = "stablehlo.sort"(%x0, %x1) ({
  ^bb0(%a0: tensor<ELT>, %b0: tensor<ELT>, %a1: tensor<ELT>, %b1: tensor<ELT>):
    %p = stablehlo.compare GT, %a0, %b0 : (tensor<ELT>, tensor<ELT>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2x3xELT>, tensor<2x3xELT>) -> (tensor<2x3xELT>, tensor<2x3xELT>)
  return %r#0, %r#1 : tensor<2x3xELT>, tensor<2x3xELT>
}
// -----
// vector: sort 3 operands
// ops: sort
// input: s32[2] {3,1}
// input: s32[2] {42,50}
// input: f32[2] {-3, 1.1}
// expect: s32[2] {1,3}
// expect: s32[2] {50,42}
// expect: f32[2] {1.1, -3}
func.func @main(%x0: tensor<2xi32>, %x1: tensor<2xi32>, %x2: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) {
  %r:3 = "stablehlo.sort"(%x0, %x1, %x2) ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>, %a2: tensor<f32>, %b2: tensor<f32>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2xi32>, tensor<2xi32>, tensor<2xf32>
}
// -----
// vector: sort i1
// ops: sort
// input: pred[3] {1,0,1}
// expect: pred[3] {0,1,1}
func.func @main(%x0: tensor<3xi1>) -> tensor<3xi1> {
  %r = "stablehlo.sort"(%x0) ({
  ^bb0(%a0: tensor<i1>, %b0: tensor<i1>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<3xi1>) -> (tensor<3xi1>)
  return %r : tensor<3xi1>
}
// -----
// vector: sort complex
// ops: sort
// input: c64[3] {(2,0),(1,5),(1,2)}
// expect: c64[3] {(1,2),(1,5),(2,0)}
func.func @main(%x0: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %r = "stablehlo.sort"(%x0) ({
  ^bb0(%a0: tensor<complex<f32>>, %b0: tensor<complex<f32>>):
    %p = stablehlo.compare LT, %a0, %b0 : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>)
  return %r : tensor<3xcomplex<f32>>
}
// -----
// vector: TopK
// ops: top_k
// input: f32[2,3] {{0.1,0.3,0.1},{0.7,0.2,-0.1}}
// expect: f32[2,1] {{0.3},{0.7}}
// expect: s32[2,1] {{1},{0}}
func.func @main(%x0: tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xi32>) {
  %r:2 = chlo.top_k(%x0, k = 1) : tensor<2x3xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
  return %r#0, %r#1 : tensor<2x1xf32>, tensor<2x1xi32>
}
// -----
// vector: top_k types
// ops: top_k
// types: s8 u32 f16 f64
// input: ELT[4] {3,1,3,2}
// expect: ELT[2] {3,3}
// expect: s32[2] {0,2}
func.func @main(%x0: tensor<4xELT>) -> (tensor<2xELT>, tensor<2xi32>) {
  %r:2 = chlo.top_k(%x0, k = 2) : tensor<4xELT> -> (tensor<2xELT>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xELT>, tensor<2xi32>
}
