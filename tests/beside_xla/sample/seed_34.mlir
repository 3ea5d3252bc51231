module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17x5xbf16>, %arg1: tensor<5x1xbf16>, %arg2: tensor<5x1xbf16>, %arg3: tensor<8xi16>, %arg4: tensor<17x5xbf16>) -> (tensor<5x1xbf16> {jax.result_info = "result[0]"}, tensor<17xi64> {jax.result_info = "result[1]"}, tensor<i16> {jax.result_info = "result[2]"}, tensor<5x1xi1> {jax.result_info = "result[3]"}, tensor<17x5xbf16> {jax.result_info = "result[4]"}) {
    %0 = call @cummin(%arg0) : (tensor<17x5xbf16>) -> tensor<17x5xbf16>
    %1 = stablehlo.compare LT, %arg1, %arg2, FLOAT : (tensor<5x1xbf16>, tensor<5x1xbf16>) -> tensor<5x1xi1>
    %2 = stablehlo.convert %1 : (tensor<5x1xi1>) -> tensor<5x1xbf16>
    %3 = stablehlo.minimum %0, %arg0 : tensor<17x5xbf16>
    %4 = call @argmin(%3) : (tensor<17x5xbf16>) -> tensor<17xi64>
    %5 = stablehlo.sign %arg3 : tensor<8xi16>
    %c = stablehlo.constant dense<0> : tensor<i16>
    %6 = stablehlo.reduce(%5 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8xi16>, tensor<i16>) -> tensor<i16>
    %7 = stablehlo.not %1 : tensor<5x1xi1>
    %8 = stablehlo.divide %arg0, %arg4 : tensor<17x5xbf16>
    return %2, %4, %6, %7, %8 : tensor<5x1xbf16>, tensor<17xi64>, tensor<i16>, tensor<5x1xi1>, tensor<17x5xbf16>
  }
  func.func private @cummin(%arg0: tensor<17x5xbf16>) -> tensor<17x5xbf16> {
    %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<bf16>
      stablehlo.return %2 : tensor<bf16>
    }) : (tensor<17x5xbf16>, tensor<bf16>) -> tensor<17x5xbf16>
    return %1 : tensor<17x5xbf16>
  }
  func.func private @argmin(%arg0: tensor<17x5xbf16>) -> tensor<17xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<17x5xi64>
    %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<17x5xbf16>, tensor<17x5xi64>, tensor<bf16>, tensor<i64>) -> (tensor<17xbf16>, tensor<17xi64>)
     reducer(%arg1: tensor<bf16>, %arg3: tensor<bf16>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<bf16>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<bf16>, tensor<i64>
    }
    return %1#1 : tensor<17xi64>
  }
}
