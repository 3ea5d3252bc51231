module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<3xi32> {jax.result_info = "result[1]"}, tensor<9x2xi32> {jax.result_info = "result[2]"}, tensor<3xi32> {jax.result_info = "result[3]"}, tensor<3xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[2, 1], [-8, 1], [4, 9], [-5, -3], [11, -2], [-9, -9], [-3, 3], [11, -5], [8, 0]]> : tensor<9x2xi32>
    %c_0 = stablehlo.constant dense<[[-2130574229, 1039443982], [-1758946058, 617369552], [1893889277, 1495711543], [-977087694, -549581481], [1063681211, 1464248526], [1287942305, 906502544], [825715793, -692350261], [-995965556, 1613422531], [616352328, -962277328]]> : tensor<9x2xi32>
    %0 = stablehlo.transpose %c, dims = [1, 0] : (tensor<9x2xi32>) -> tensor<2x9xi32>
    %c_1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.reduce_window"(%0, %1) <{base_dilations = array<i64: 2, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 3>}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %9 = stablehlo.minimum %arg2, %arg3 : tensor<i32>
      stablehlo.return %9 : tensor<i32>
    }) : (tensor<2x9xi32>, tensor<i32>) -> tensor<5x3xi32>
    %3 = call @argmin(%2) : (tensor<5x3xi32>) -> tensor<3xi32>
    %4 = stablehlo.shift_left %3, %arg0 : tensor<3xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %6:4 = stablehlo.while(%iterArg = %4, %iterArg_6 = %c_3, %iterArg_7 = %arg1, %iterArg_8 = %5) : tensor<3xi32>, tensor<i64>, tensor<i32>, tensor<3xi32>
    cond {
      %c_9 = stablehlo.constant dense<3> : tensor<i64>
      %9 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_9 = stablehlo.constant dense<3> : tensor<i64>
      %9 = stablehlo.subtract %c_9, %iterArg_6 : tensor<i64>
      %c_10 = stablehlo.constant dense<1> : tensor<i64>
      %10 = stablehlo.subtract %9, %c_10 : tensor<i64>
      %11 = func.call @dynamic_index_in_dim(%iterArg, %10) : (tensor<3xi32>, tensor<i64>) -> tensor<i32>
      %12:2 = func.call @closed_call(%iterArg_7, %11) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_8, %12#1, %10) : (tensor<3xi32>, tensor<i32>, tensor<i64>) -> tensor<3xi32>
      %c_11 = stablehlo.constant dense<1> : tensor<i64>
      %14 = stablehlo.add %iterArg_6, %c_11 : tensor<i64>
      stablehlo.return %iterArg, %14, %12#0, %13 : tensor<3xi32>, tensor<i64>, tensor<i32>, tensor<3xi32>
    }
    %7 = stablehlo.divide %c, %c_0 : tensor<9x2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %8:4 = stablehlo.while(%iterArg = %c_5, %iterArg_6 = %c_4, %iterArg_7 = %arg0, %iterArg_8 = %3) : tensor<i64>, tensor<i64>, tensor<3xi32>, tensor<3xi32>
    cond {
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %9 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9:3 = func.call @closed_call_0(%iterArg_6, %iterArg_7, %iterArg_8) : (tensor<i64>, tensor<3xi32>, tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>, tensor<3xi32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %10 = stablehlo.add %iterArg, %c_9 : tensor<i64>
      stablehlo.return %10, %9#0, %9#1, %9#2 : tensor<i64>, tensor<i64>, tensor<3xi32>, tensor<3xi32>
    }
    return %6#2, %6#3, %7, %8#2, %8#3 : tensor<i32>, tensor<3xi32>, tensor<9x2xi32>, tensor<3xi32>, tensor<3xi32>
  }
  func.func private @argmin(%arg0: tensor<5x3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<5x3xi32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<5x3xi32>, tensor<5x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<3xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xi32>, %arg1: tensor<i64>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xi32>, tensor<i64>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    return %0, %arg0 : tensor<i32>, tensor<i32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3xi32>, %arg1: tensor<i32>, %arg2: tensor<i64>) -> tensor<3xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<3xi32>, tensor<1xi32>, tensor<i64>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
  func.func private @closed_call_0(%arg0: tensor<i64>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) -> (tensor<i64>, tensor<3xi32>, tensor<3xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %1 = call @_roll_static(%arg2) : (tensor<3xi32>) -> tensor<3xi32>
    %2 = stablehlo.maximum %arg1, %arg2 : tensor<3xi32>
    return %0, %1, %2 : tensor<i64>, tensor<3xi32>, tensor<3xi32>
  }
  func.func private @_roll_static(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.slice %arg0 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %1 = stablehlo.slice %arg0 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    return %2 : tensor<3xi32>
  }
}
