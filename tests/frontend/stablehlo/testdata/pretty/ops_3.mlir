module {
  func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>, %arg2: tensor<1xi32>, %arg3: tensor<i1>, %arg4: tensor<4xi1>, %arg5: tensor<4xcomplex<f32>>, %arg6: tensor<f32>, %arg7: tensor<0xi32>) {
    %0 = stablehlo.convert %arg0 : tensor<4x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.real %arg0 : tensor<4x4xf32>
    %4 = stablehlo.slice %arg0 [0:4, 0:4] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.reduce_precision %arg0, format = e8m10 : tensor<4x4xf32>
    %6 = stablehlo.fft %arg5, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %7 = stablehlo.dynamic_reshape %arg2, %arg2 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %8 = stablehlo.broadcast %arg0, sizes = [] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %9 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x4xf32>) -> tensor<i32>
    %10 = stablehlo.dynamic_iota %arg2, dim = 0 : (tensor<1xi32>) -> tensor<1xi32>
    %11 = stablehlo.einsum %arg0, %arg0, config = "ab,bc->ac" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %12 = stablehlo.select %arg4, %arg4, %arg4 : tensor<4xi1>, tensor<4xi1>
    %13 = stablehlo.compare LT, %arg4, %arg4 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %14 = stablehlo.set_dimension_size %arg2, %arg1, dim = 0 : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.reverse %arg0, dims = [0] : tensor<4x4xf32>
    %16 = stablehlo.concatenate %arg0, dim = 0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %17 = stablehlo.dynamic_broadcast_in_dim %arg2, %arg2, dims = [0] : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %18 = stablehlo.pad %arg6, %arg6, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.clamp %arg6, %arg6, %arg6 : tensor<f32>
    %20 = stablehlo.reduce_precision %arg0, format = e8m10 {foo.x = 3 : i64} : tensor<4x4xf32>
    %21 = stablehlo.rng %arg6, %arg6, %arg7, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi32>) -> tensor<f32>
    %22 = stablehlo.optimization_barrier %arg6 : tensor<f32>
    %23 = stablehlo.add %arg6, %arg6 {foo.x = 3 : i64} : tensor<f32>
    %24 = stablehlo.tuple  : tuple<>
    %25 = stablehlo.tuple %24 : tuple<tuple<>>
    %26 = "stablehlo.case"(%arg1) ({
      stablehlo.return %arg6 {foo.x = 3 : i64} : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %27 = stablehlo.custom_call @"a.b-c"() : () -> tensor<f32>
    %28 = stablehlo.iota dim = 0 {foo.x = 3 : i64} : tensor<4xi32>
    %c = stablehlo.constant {foo.x = 3 : i64} dense<3> : tensor<i32>
    %29 = stablehlo.cholesky %arg0, lower = true {foo.x = 3 : i64} : tensor<4x4xf32>
    return {foo.x = 3 : i64}
  }
}
