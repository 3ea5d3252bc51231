module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<5x4xf64>, %arg4: tensor<5x4xf64>) -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}, tensor<5x4xf64> {jax.result_info = "result[3]"}, tensor<5x4xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %1 = stablehlo.divide %0, %arg0 : tensor<7xf32>
    %2 = stablehlo.iota dim = 0 : tensor<7xf32>
    %3 = stablehlo.add %1, %2 : tensor<7xf32>
    %4 = call @cumprod(%3) : (tensor<7xf32>) -> tensor<7xf32>
    %5 = stablehlo.round_nearest_afz %arg0 : tensor<7xf32>
    %6 = stablehlo.pad %1, %arg1, low = [2], high = [0], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<9xf32>
    %7 = stablehlo.floor %6 : tensor<9xf32>
    %8 = stablehlo.pad %7, %arg2, low = [-1], high = [-2], interior = [0] : (tensor<9xf32>, tensor<f32>) -> tensor<6xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %9:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg3, %iterArg_3 = %arg4) : tensor<i64>, tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>
    cond {
      %c_4 = stablehlo.constant dense<4> : tensor<i64>
      %10 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>) -> (tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>)
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %11 = stablehlo.add %iterArg, %c_4 : tensor<i64>
      stablehlo.return %11, %10#0, %10#1, %10#2 : tensor<i64>, tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>
    }
    return %4, %5, %8, %9#2, %9#3 : tensor<7xf32>, tensor<7xf32>, tensor<6xf32>, tensor<5x4xf64>, tensor<5x4xf64>
  }
  func.func private @cumprod(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[0, 6]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 7>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<5x4xf64>, %arg2: tensor<5x4xf64>) -> (tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %1 = call @_roll_static(%arg2) : (tensor<5x4xf64>) -> tensor<5x4xf64>
    %2 = stablehlo.maximum %arg1, %arg2 : tensor<5x4xf64>
    return %0, %1, %2 : tensor<i64>, tensor<5x4xf64>, tensor<5x4xf64>
  }
  func.func private @_roll_static(%arg0: tensor<5x4xf64>) -> tensor<5x4xf64> {
    %0 = stablehlo.slice %arg0 [4:5, 0:4] : (tensor<5x4xf64>) -> tensor<1x4xf64>
    %1 = stablehlo.slice %arg0 [0:4, 0:4] : (tensor<5x4xf64>) -> tensor<4x4xf64>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x4xf64>, tensor<4x4xf64>) -> tensor<5x4xf64>
    return %2 : tensor<5x4xf64>
  }
}
