// vector: if
// class: SI
// ops: if
// input: pred[] true
// expect: s32[] 10
func.func @main(%x0: tensor<i1>) -> tensor<i32> {
  %r = "stablehlo.if"(%x0) ({
    %a = stablehlo.constant dense<10> : tensor<i32>
    stablehlo.return %a : tensor<i32>
  }, {
    %b = stablehlo.constant dense<11> : tensor<i32>
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: if types
// ops: if
// types: u8 f32 c64
// input: pred[] false
// input: ELT[2] {1,2}
// input: ELT[2] {3,4}
// expect: ELT[2] {3,4}
func.func @main(%x0: tensor<i1>, %x1: tensor<2xELT>, %x2: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.if"(%x0) ({
    stablehlo.return %x1 : tensor<2xELT>
  }, {
    stablehlo.return %x2 : tensor<2xELT>
  }) : (tensor<i1>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: case
// class: SI
// ops: case
// input: s32[] -1
// expect: s64[2] 1
// expect: s64[2] 1
func.func @main(%x0: tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>) {
  %r:2 = "stablehlo.case"(%x0) ({
    %a = stablehlo.constant dense<0> : tensor<2xi64>
    stablehlo.return %a, %a : tensor<2xi64>, tensor<2xi64>
  }, {
    %b = stablehlo.constant dense<1> : tensor<2xi64>
    stablehlo.return %b, %b : tensor<2xi64>, tensor<2xi64>
  }) : (tensor<i32>) -> (tensor<2xi64>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2xi64>
}
// -----
// vector: case types
// ops: case
// types: u8 f32 c64
// input: s32[] 0
// input: ELT[2] {1,2}
// input: ELT[2] {3,4}
// expect: ELT[2] {1,2}
func.func @main(%x0: tensor<i32>, %x1: tensor<2xELT>, %x2: tensor<2xELT>) -> tensor<2xELT> {
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xELT>
  }, {
    stablehlo.return %x2 : tensor<2xELT>
  }) : (tensor<i32>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: while
// ops: while
// input: s64[] 1
// input: s64[] 0
// expect: s64[] 10
// expect: s64[] 9
func.func @main(%x0: tensor<i64>, %x1: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<10> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<i64>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %one : tensor<i64>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<i64>
    }
  return %r#0, %r#1 : tensor<i64>, tensor<i64>
}
// -----
// vector: While XLA
// ops: while
// input: s64[] 0
// input: f32[10] 0
// input: f32[10] 0.5
// expect: s64[] 1000
// expect: f32[10] 500
func.func @main(%x0: tensor<i64>, %x1: tensor<10xf32>, %x2: tensor<10xf32>) -> (tensor<i64>, tensor<10xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<1000> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<10xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<10xf32>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<10xf32>
    }
  return %r#0, %r#1 : tensor<i64>, tensor<10xf32>
}
// -----
// vector: while over complex numbers, whose parts are made of one another
// ops: while
// input: s64[] 0
// input: c64[3] {(1,1),(2,-1),(0,3)}
// input: c64[3] {(1,-1),(1,1),(2,-1)}
// expect: s64[] 3
// expect: c64[3] {(0,-4),(-2,6),(33,6)}
func.func @main(%x0: tensor<i64>, %x1: tensor<3xcomplex<f32>>, %x2: tensor<3xcomplex<f32>>) -> (tensor<i64>, tensor<3xcomplex<f32>>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<3xcomplex<f32>>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.multiply %s, %x2 : tensor<3xcomplex<f32>>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<3xcomplex<f32>>
    }
  return %r#0, %r#1 : tensor<i64>, tensor<3xcomplex<f32>>
}
// -----
// vector: while types
// ops: while
// types: u8 f64 c64
// input: s64[] 0
// input: ELT[2] 0
// input: ELT[2] {1,2}
// expect: s64[] 3
// expect: ELT[2] {3,6}
func.func @main(%x0: tensor<i64>, %x1: tensor<2xELT>, %x2: tensor<2xELT>) -> (tensor<i64>, tensor<2xELT>) {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %x0, %s = %x1) : tensor<i64>, tensor<2xELT>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.add %s, %x2 : tensor<2xELT>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %t : tensor<i64>, tensor<2xELT>
    }
  return %r#0, %r#1 : tensor<i64>, tensor<2xELT>
}
// -----
// vector: optimization_barrier
// ops: optimization_barrier
// input: f32[] 0
// input: f32[] 1
// expect: f32[] 0
// expect: f32[] 1
func.func @main(%x0: tensor<f32>, %x1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = stablehlo.optimization_barrier %x0, %x1 : tensor<f32>, tensor<f32>
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
// -----
// vector: optimization_barrier types
// ops: optimization_barrier
// types: s32 u8 c64 pred
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = stablehlo.optimization_barrier %x0 : tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: tuple
// ops: tuple get_tuple_element
// input: s32[2] {1,2}
// input: s32[1] {3}
// expect: s32[2] {1,2}
func.func @main(%x0: tensor<2xi32>, %x1: tensor<1xi32>) -> tensor<2xi32> {
  %t = stablehlo.tuple %x0, %x1 : tuple<tensor<2xi32>, tensor<1xi32>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tensor<1xi32>>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// -----
// vector: tuple XLA
// ops: tuple get_tuple_element
// input: f32[10] {0,1,2,3,4,5,6,7,8,9}
// input: s32[] 5
// expect: s32[] 5
func.func @main(%x0: tensor<10xf32>, %x1: tensor<i32>) -> tensor<i32> {
  %t = stablehlo.tuple %x0, %x1 : tuple<tensor<10xf32>, tensor<i32>>
  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<10xf32>, tensor<i32>>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
// vector: tuple types
// ops: tuple get_tuple_element
// types: u8 c64 pred
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %t = stablehlo.tuple %x0 : tuple<tensor<2xELT>>
  %r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xELT>>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: composite
// ops: composite
// input: f32[2] {1,2}
// expect: f32[2] {2,4}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.composite "my.double" %x0 {decomposition = @double} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @double(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %a, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: func.call
// ops: call
// input: f32[2] {1,2}
// expect: f32[2] {2,4}
func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %r = func.call @double(%x0) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @double(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %a, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// vector: after_all
// ops: after_all
// input: f32[] 1
// expect: f32[] 1
func.func @main(%x0: tensor<f32>) -> tensor<f32> {
  %t = stablehlo.after_all : !stablehlo.token
  %u = stablehlo.after_all %t : !stablehlo.token
  %r = stablehlo.add %x0, %x0 : tensor<f32>
  return %x0 : tensor<f32>
}
// -----
// vector: create_token
// ops: create_token
// input: f32[] 1
// expect: f32[] 1
func.func @main(%x0: tensor<f32>) -> tensor<f32> {
  %t = stablehlo.create_token : !stablehlo.token
  return %x0 : tensor<f32>
}
// -----
// vector: if i1
// ops: if
// input: pred[] false
// input: pred[2] {0,1}
// input: pred[2] {1,0}
// expect: pred[2] {1,0}
func.func @main(%x0: tensor<i1>, %x1: tensor<2xi1>, %x2: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.if"(%x0) ({
    stablehlo.return %x1 : tensor<2xi1>
  }, {
    stablehlo.return %x2 : tensor<2xi1>
  }) : (tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: case i1
// ops: case
// class: B
// input: s32[] 7
// input: pred[2] {0,1}
// input: pred[2] {1,0}
// expect: pred[2] {1,0}
func.func @main(%x0: tensor<i32>, %x1: tensor<2xi1>, %x2: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.case"(%x0) ({
    stablehlo.return %x1 : tensor<2xi1>
  }, {
    stablehlo.return %x2 : tensor<2xi1>
  }) : (tensor<i32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
// -----
// vector: while i1
// ops: while
// input: pred[] true
// expect: pred[] false
func.func @main(%x0: tensor<i1>) -> tensor<i1> {
  %r = stablehlo.while(%p = %x0) : tensor<i1>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %q = stablehlo.not %p : tensor<i1>
      stablehlo.return %q : tensor<i1>
    }
  return %r : tensor<i1>
}
// -----
// vector: composite types
// ops: composite
// types: pred s8 u32 c64
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %r = stablehlo.composite "my.same" %x0 {decomposition = @same} : (tensor<2xELT>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
func.func private @same(%a: tensor<2xELT>) -> tensor<2xELT> {
  return %a : tensor<2xELT>
}
// -----
// vector: tuple types 2
// ops: tuple get_tuple_element
// types: s8
// input: ELT[2] {0,1}
// expect: ELT[2] {0,1}
func.func @main(%x0: tensor<2xELT>) -> tensor<2xELT> {
  %t = stablehlo.tuple %x0, %x0 : tuple<tensor<2xELT>, tensor<2xELT>>
  %r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xELT>, tensor<2xELT>>) -> tensor<2xELT>
  return %r : tensor<2xELT>
}
// -----
// vector: optimization_barrier f64
// ops: optimization_barrier
// input: f64[2] {0,1}
// expect: f64[2] {0,1}
func.func @main(%x0: tensor<2xf64>) -> tensor<2xf64> {
  %r = stablehlo.optimization_barrier %x0 : tensor<2xf64>
  return %r : tensor<2xf64>
}
