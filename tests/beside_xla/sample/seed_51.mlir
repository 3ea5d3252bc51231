module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<7x5xf8E4M3FN>, %arg2: tensor<i32>, %arg3: tensor<4xi32>) -> (tensor<2x4xf8E4M3FN> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<4xi32> {jax.result_info = "result[2]"}, tensor<4xi32> {jax.result_info = "result[3]"}, tensor<i1> {jax.result_info = "result[4]"}, tensor<8xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[5.625000e-01, 9.218750e-01, -4.375000e-01, 3.40282347E+38]> : tensor<4xf32>
    %0 = call @cummin(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.tanh %0 : tensor<8xf32>
    %c = stablehlo.constant dense<9> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %c, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<9> : tensor<i32>
    %c_2 = stablehlo.constant dense<7> : tensor<i32>
    %3 = stablehlo.add %c_1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<9> : tensor<i32>
    %4 = stablehlo.select %2, %3, %c_3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %arg2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<5> : tensor<i32>
    %6 = stablehlo.add %arg2, %c_5 : tensor<i32>
    %7 = stablehlo.select %5, %6, %arg2 : tensor<i1>, tensor<i32>
    %8 = stablehlo.dynamic_slice %arg1, %4, %7, sizes = [2, 4] : (tensor<7x5xf8E4M3FN>, tensor<i32>, tensor<i32>) -> tensor<2x4xf8E4M3FN>
    %9 = stablehlo.compare NE, %cst, %cst, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = call @_where(%9, %10, %cst) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %12:3 = "stablehlo.sort"(%11, %arg3, %arg3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<i32>):
      %15 = stablehlo.compare LT, %arg4, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    }) : (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>)
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%1 init: %cst_7) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %14 = stablehlo.is_finite %13 : (tensor<f32>) -> tensor<i1>
    return %8, %12#0, %12#1, %12#2, %14, %0 : tensor<2x4xf8E4M3FN>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<i1>, tensor<8xf32>
  }
  func.func private @cummin(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
