module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x2xi32>, %arg1: tensor<3x2xi32>, %arg2: tensor<2x8x9xf32>, %arg3: tensor<f32>, %arg4: tensor<ui32>) -> (tensor<i1> {jax.result_info = "result[0]"}, tensor<complex<f32>> {jax.result_info = "result[1]"}, tensor<ui32> {jax.result_info = "result[2]"}, tensor<2x8x9xf32> {jax.result_info = "result[3]"}, tensor<3x5x3x4x2x2xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %c_0, %iterArg_5 = %c, %iterArg_6 = %arg0) : tensor<3x2xi32>, tensor<i64>, tensor<i64>, tensor<4x2xi32>
    cond {
      %c_7 = stablehlo.constant dense<3> : tensor<i64>
      %10 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10:2 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6) : (tensor<3x2xi32>, tensor<i64>, tensor<4x2xi32>) -> (tensor<i64>, tensor<4x2xi32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %11 = stablehlo.add %iterArg_4, %c_7 : tensor<i64>
      stablehlo.return %iterArg, %11, %10#0, %10#1 : tensor<3x2xi32>, tensor<i64>, tensor<i64>, tensor<4x2xi32>
    }
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %1:4 = stablehlo.while(%iterArg = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %0#3, %iterArg_6 = %arg0) : tensor<i64>, tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>
    cond {
      %c_7 = stablehlo.constant dense<2> : tensor<i64>
      %10 = stablehlo.compare LT, %iterArg, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10:3 = func.call @closed_call_0(%iterArg_4, %iterArg_5, %iterArg_6) : (tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %11 = stablehlo.add %iterArg, %c_7 : tensor<i64>
      stablehlo.return %11, %10#0, %10#1, %10#2 : tensor<i64>, tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x9xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.abs %2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %4 = stablehlo.compare EQ, %3, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.complex %2, %arg3 : tensor<complex<f32>>
    %6 = stablehlo.bitcast_convert %arg3 : (tensor<f32>) -> tensor<ui32>
    %7 = stablehlo.maximum %6, %arg4 : tensor<ui32>
    %8 = call @cumprod(%arg2) : (tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
    %9 = stablehlo.broadcast_in_dim %1#2, dims = [3, 4] : (tensor<4x2xi32>) -> tensor<3x5x3x4x2x2xi32>
    return %4, %5, %7, %8, %9 : tensor<i1>, tensor<complex<f32>>, tensor<ui32>, tensor<2x8x9xf32>, tensor<3x5x3x4x2x2xi32>
  }
  func.func private @closed_call(%arg0: tensor<3x2xi32>, %arg1: tensor<i64>, %arg2: tensor<4x2xi32>) -> (tensor<i64>, tensor<4x2xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<3> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, %c_2, sizes = [1, 2] : (tensor<3x2xi32>, tensor<i64>, tensor<i64>) -> tensor<1x2xi32>
    %c_3 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_3 : tensor<i64>
    %c_4 = stablehlo.constant dense<4> : tensor<i64>
    %7 = call @remainder(%6, %c_4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_6 = stablehlo.constant dense<4> : tensor<i64>
    %10 = stablehlo.add %9, %c_6 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11, %c_7 : (tensor<4x2xi32>, tensor<1x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x2xi32>
    return %0, %12 : tensor<i64>, tensor<4x2xi32>
  }
  func.func private @remainder(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %1 = call @_where(%0, %c_0, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = stablehlo.remainder %arg0, %1 : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.compare NE, %2, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i64>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i64>
    return %9 : tensor<i64>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i64>
    return %0 : tensor<i64>
  }
  func.func private @closed_call_0(%arg0: tensor<i64>, %arg1: tensor<4x2xi32>, %arg2: tensor<4x2xi32>) -> (tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %1 = stablehlo.reverse %arg2, dims = [0] : tensor<4x2xi32>
    return %0, %1, %arg1 : tensor<i64>, tensor<4x2xi32>, tensor<4x2xi32>
  }
  func.func private @cumprod(%arg0: tensor<2x8x9xf32>) -> tensor<2x8x9xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 8]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 9>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2x8x9xf32>, tensor<f32>) -> tensor<2x8x9xf32>
    return %0 : tensor<2x8x9xf32>
  }
}
