module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x9xf32>, %arg1: tensor<33xui8>, %arg2: tensor<33xui8>, %arg3: tensor<f32>, %arg4: tensor<9xf32>, %arg5: tensor<f32>) -> (tensor<33xui8> {jax.result_info = "result[0]"}, tensor<8x18xf32> {jax.result_info = "result[1]"}, tensor<9xf32> {jax.result_info = "result[2]"}, tensor<8x9xi1> {jax.result_info = "result[3]"}, tensor<8x9xf32> {jax.result_info = "result[4]"}, tensor<8x9xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x9xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x9xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x9xf32>
    %6 = chlo.square %5 : tensor<8x9xf32> -> tensor<8x9xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x9xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_2 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<8x1xf32>
    %11 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x9xf32>
    %12 = stablehlo.subtract %arg0, %11 : tensor<8x9xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %14 = stablehlo.add %10, %13 : tensor<8x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<8x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x9xf32>
    %17 = stablehlo.multiply %12, %16 : tensor<8x9xf32>
    %18 = stablehlo.xor %arg1, %arg2 : tensor<33xui8>
    %19 = stablehlo.pad %arg0, %arg3, low = [-2, -2], high = [2, 3], interior = [0, 1] : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x18xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x9xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %21:4 = stablehlo.while(%iterArg = %17, %iterArg_6 = %c, %iterArg_7 = %arg4, %iterArg_8 = %20) : tensor<8x9xf32>, tensor<i64>, tensor<9xf32>, tensor<8x9xf32>
    cond {
      %c_9 = stablehlo.constant dense<8> : tensor<i64>
      %26 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %26 : tensor<i1>
    } do {
      %26 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<8x9xf32>, tensor<i64>) -> tensor<9xf32>
      %27:2 = func.call @closed_call(%iterArg_7, %26) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
      %28 = func.call @dynamic_update_index_in_dim(%iterArg_8, %27#1, %iterArg_6) : (tensor<8x9xf32>, tensor<9xf32>, tensor<i64>) -> tensor<8x9xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %29 = stablehlo.add %iterArg_6, %c_9 : tensor<i64>
      stablehlo.return %iterArg, %29, %27#0, %28 : tensor<8x9xf32>, tensor<i64>, tensor<9xf32>, tensor<8x9xf32>
    }
    %22 = stablehlo.compare NE, %21#3, %arg0, FLOAT : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xi1>
    %cst_5 = stablehlo.constant dense<-7.187500e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f32>) -> tensor<8x9xf32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x9xf32>
    %25 = stablehlo.clamp %23, %21#3, %24 : tensor<8x9xf32>
    return %18, %19, %21#2, %22, %25, %17 : tensor<33xui8>, tensor<8x18xf32>, tensor<9xf32>, tensor<8x9xi1>, tensor<8x9xf32>, tensor<8x9xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x9xf32>, %arg1: tensor<i64>) -> tensor<9xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 9] : (tensor<8x9xf32>, tensor<i64>, tensor<i64>) -> tensor<1x9xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x9xf32>) -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
  func.func private @closed_call(%arg0: tensor<9xf32>, %arg1: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<9xf32>
    return %0, %arg0 : tensor<9xf32>, tensor<9xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<i64>) -> tensor<8x9xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<9xf32>) -> tensor<1x9xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<8x9xf32>, tensor<1x9xf32>, tensor<i64>, tensor<i64>) -> tensor<8x9xf32>
    return %1 : tensor<8x9xf32>
  }
}
