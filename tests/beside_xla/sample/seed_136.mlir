module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5x1x2xf64>, %arg1: tensor<4x5x2xi32>, %arg2: tensor<5x2xi32>, %arg3: tensor<f32>, %arg4: tensor<5x16x2xcomplex<f32>>, %arg5: tensor<3x16x5xf64>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<5x2xi32> {jax.result_info = "result[1]"}, tensor<5x2xi32> {jax.result_info = "result[2]"}, tensor<3x3x1xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<3x16x5xf64> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.reverse %arg0, dims = [2, 3] : tensor<4x5x1x2xf64>
    %1 = stablehlo.reshape %0 : (tensor<4x5x1x2xf64>) -> tensor<4x5x2xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:2 = stablehlo.reduce(%1 init: %cst), (%arg1 init: %c) across dimensions = [0] : (tensor<4x5x2xf64>, tensor<4x5x2xi32>, tensor<f64>, tensor<i32>) -> (tensor<5x2xf64>, tensor<5x2xi32>)
     reducer(%arg6: tensor<f64>, %arg8: tensor<f64>) (%arg7: tensor<i32>, %arg9: tensor<i32>)  {
      %7 = stablehlo.abs %arg6 : tensor<f64>
      %8 = stablehlo.abs %arg8 : tensor<f64>
      %9 = stablehlo.compare GE, %7, %8, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %10 = stablehlo.select %9, %arg6, %arg8 : tensor<i1>, tensor<f64>
      %11 = stablehlo.select %9, %arg7, %arg9 : tensor<i1>, tensor<i32>
      stablehlo.return %10, %11 : tensor<f64>, tensor<i32>
    }
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3:4 = stablehlo.while(%iterArg = %arg3, %iterArg_1 = %c_0, %iterArg_2 = %2#1, %iterArg_3 = %arg2) : tensor<f32>, tensor<i32>, tensor<5x2xi32>, tensor<5x2xi32>
    cond {
      %7 = stablehlo.reshape %iterArg_2 : (tensor<5x2xi32>) -> tensor<10xi32>
      %8 = stablehlo.slice %7 [0:1] : (tensor<10xi32>) -> tensor<1xi32>
      %9 = stablehlo.reshape %8 : (tensor<1xi32>) -> tensor<i32>
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<i32>
      %12 = stablehlo.compare LT, %9, %11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %13 = stablehlo.and %10, %12 : tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5x2xi32>
      %9 = stablehlo.xor %iterArg_3, %8 : tensor<5x2xi32>
      stablehlo.return %iterArg, %7, %9, %iterArg_2 : tensor<f32>, tensor<i32>, tensor<5x2xi32>, tensor<5x2xi32>
    }
    %4 = stablehlo.popcnt %3#3 : tensor<5x2xi32>
    %5 = stablehlo.slice %arg4 [0:5:2, 0:8:3, 0:1:2] : (tensor<5x16x2xcomplex<f32>>) -> tensor<3x3x1xcomplex<f32>>
    %6 = call @cummax(%arg5) : (tensor<3x16x5xf64>) -> tensor<3x16x5xf64>
    return %3#1, %3#2, %4, %5, %6 : tensor<i32>, tensor<5x2xi32>, tensor<5x2xi32>, tensor<3x3x1xcomplex<f32>>, tensor<3x16x5xf64>
  }
  func.func private @cummax(%arg0: tensor<3x16x5xf64>) -> tensor<3x16x5xf64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[2, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<3x16x5xf64>, tensor<f64>) -> tensor<3x16x5xf64>
    return %1 : tensor<3x16x5xf64>
  }
}
