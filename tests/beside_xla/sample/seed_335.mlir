module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x5x1xui8>, %arg1: tensor<3xf32>, %arg2: tensor<7xbf16>, %arg3: tensor<1x7x1x4xbf16>, %arg4: tensor<1x7x1x4xbf16>, %arg5: tensor<9x8xui8>, %arg6: tensor<3xf32>) -> (tensor<7x1xbf16> {jax.result_info = "result[0]"}, tensor<1x7x1x4xbf16> {jax.result_info = "result[1]"}, tensor<6x1x1xui8> {jax.result_info = "result[2]"}, tensor<9x8xui8> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[[9]], [[6]], [[0]], [[5]], [[3]], [[1]]]> : tensor<6x1x1xui8>
    %0 = stablehlo.slice %arg0 [4:16:2, 4:5, 0:1] : (tensor<16x5x1xui8>) -> tensor<6x1x1xui8>
    %1 = stablehlo.reshape %arg2 : (tensor<7xbf16>) -> tensor<7x1xbf16>
    %2 = stablehlo.maximum %arg3, %arg4 : tensor<1x7x1x4xbf16>
    %3 = stablehlo.or %0, %c : tensor<6x1x1xui8>
    %4 = call @cummax(%arg5) : (tensor<9x8xui8>) -> tensor<9x8xui8>
    %5 = stablehlo.multiply %arg1, %arg6 : tensor<3xf32>
    return %1, %2, %3, %4, %5 : tensor<7x1xbf16>, tensor<1x7x1x4xbf16>, tensor<6x1x1xui8>, tensor<9x8xui8>, tensor<3xf32>
  }
  func.func private @cummax(%arg0: tensor<9x8xui8>) -> tensor<9x8xui8> {
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<ui8>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<ui8>, %arg2: tensor<ui8>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<ui8>
      stablehlo.return %2 : tensor<ui8>
    }) : (tensor<9x8xui8>, tensor<ui8>) -> tensor<9x8xui8>
    return %1 : tensor<9x8xui8>
  }
}
