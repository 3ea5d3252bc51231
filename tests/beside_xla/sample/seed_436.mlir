module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf8E5M2FNUZ>, %arg2: tensor<65xi1>, %arg3: tensor<i32>, %arg4: tensor<2xf32>, %arg5: tensor<1x7xi32>, %arg6: tensor<1x7xi32>) -> (tensor<2x2xi1> {jax.result_info = "result[0]"}, tensor<6xi1> {jax.result_info = "result[1]"}, tensor<2xf32> {jax.result_info = "result[2]"}, tensor<2x2xf32> {jax.result_info = "result[3]"}, tensor<1x7xi32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x2xf32>) -> tensor<2x2xf8E5M2FNUZ>
    %1 = stablehlo.compare LE, %0, %arg1, FLOAT : (tensor<2x2xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>) -> tensor<2x2xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<65> : tensor<i32>
    %3 = stablehlo.add %arg3, %c_0 : tensor<i32>
    %4 = stablehlo.select %2, %3, %arg3 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg2, %4, sizes = [6] : (tensor<65xi1>, tensor<i32>) -> tensor<6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %7:4 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c_1, %iterArg_3 = %arg4, %iterArg_4 = %6) : tensor<2x2xf32>, tensor<i64>, tensor<2xf32>, tensor<2x2xf32>
    cond {
      %c_5 = stablehlo.constant dense<2> : tensor<i64>
      %9 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<2x2xf32>, tensor<i64>) -> tensor<2xf32>
      %10:2 = func.call @closed_call(%iterArg_3, %9) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_4, %10#1, %iterArg_2) : (tensor<2x2xf32>, tensor<2xf32>, tensor<i64>) -> tensor<2x2xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i64>
      %12 = stablehlo.add %iterArg_2, %c_5 : tensor<i64>
      stablehlo.return %iterArg, %12, %10#0, %11 : tensor<2x2xf32>, tensor<i64>, tensor<2xf32>, tensor<2x2xf32>
    }
    %8 = stablehlo.subtract %arg5, %arg6 : tensor<1x7xi32>
    return %1, %5, %7#2, %7#3, %8 : tensor<2x2xi1>, tensor<6xi1>, tensor<2xf32>, tensor<2x2xf32>, tensor<1x7xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x2xf32>, %arg1: tensor<i64>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>
    return %0, %arg0 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i64>) -> tensor<2x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
