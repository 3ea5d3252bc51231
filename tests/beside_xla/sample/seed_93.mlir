module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf16>, %arg1: tensor<17x9xi64>, %arg2: tensor<17x9xi64>, %arg3: tensor<4x65x4xf16>, %arg4: tensor<f16>) -> (tensor<17x9xi64> {jax.result_info = "result[0]"}, tensor<2x8xi64> {jax.result_info = "result[1]"}, tensor<4x65x11xf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x2xf16>) -> tensor<8x2x8xf16>
    %1 = stablehlo.shift_right_logical %arg1, %arg2 : tensor<17x9xi64>
    %2 = call @argmin(%0) : (tensor<8x2x8xf16>) -> tensor<2x8xi64>
    %3 = stablehlo.pad %arg3, %arg4, low = [0, 0, 2], high = [0, 0, -1], interior = [0, 0, 2] : (tensor<4x65x4xf16>, tensor<f16>) -> tensor<4x65x11xf16>
    return %1, %2, %3 : tensor<17x9xi64>, tensor<2x8xi64>, tensor<4x65x11xf16>
  }
  func.func private @argmin(%arg0: tensor<8x2x8xf16>) -> tensor<2x8xi64> {
    %0 = stablehlo.iota dim = 0 : tensor<8x2x8xi64>
    %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<8x2x8xf16>, tensor<8x2x8xi64>, tensor<f16>, tensor<i64>) -> (tensor<2x8xf16>, tensor<2x8xi64>)
     reducer(%arg1: tensor<f16>, %arg3: tensor<f16>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f16>, tensor<i64>
    }
    return %1#1 : tensor<2x8xi64>
  }
}
