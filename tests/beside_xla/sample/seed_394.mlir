module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x9xi64>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<2x5xi64>, %arg4: tensor<3x8xbf16>, %arg5: tensor<bf16>) -> (tensor<2x18xi64> {jax.result_info = "result[0]"}, tensor<0x3xbf16> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<9> : tensor<i32>
    %4 = stablehlo.add %arg2, %c_2 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg2 : tensor<i1>, tensor<i32>
    %6 = stablehlo.dynamic_update_slice %arg0, %arg3, %2, %5 : (tensor<4x9xi64>, tensor<2x5xi64>, tensor<i32>, tensor<i32>) -> tensor<4x9xi64>
    %7 = stablehlo.reshape %6 : (tensor<4x9xi64>) -> tensor<2x18xi64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x8xbf16>
    %9 = stablehlo.multiply %arg4, %8 : tensor<3x8xbf16>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<3x8xbf16>
    %11 = stablehlo.divide %9, %10 : tensor<3x8xbf16>
    %12 = stablehlo.floor %11 : tensor<3x8xbf16>
    %13 = stablehlo.pad %12, %arg5, low = [-1, 0], high = [-2, 0], interior = [0, 0] : (tensor<3x8xbf16>, tensor<bf16>) -> tensor<0x8xbf16>
    %14 = stablehlo.slice %13 [0:0:3, 0:8:3] : (tensor<0x8xbf16>) -> tensor<0x3xbf16>
    return %7, %14 : tensor<2x18xi64>, tensor<0x3xbf16>
  }
}
