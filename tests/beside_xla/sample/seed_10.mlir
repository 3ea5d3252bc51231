module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x9xf8E4M3FN>, %arg1: tensor<16x7xf8E4M3FN>, %arg2: tensor<2x1x9x7xf8E4M3FN>, %arg3: tensor<7x2x1x4xf8E4M3FN>) -> (tensor<f8E4M3FN> {jax.result_info = "result[0]"}, tensor<1x3xf8E4M3FN> {jax.result_info = "result[1]"}, tensor<16x7xf8E4M3FN> {jax.result_info = "result[2]"}, tensor<1x7x4x9x7xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f8E4M3FN>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x9xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    %1 = stablehlo.slice %arg0 [0:1, 2:9:3] : (tensor<1x9xf8E4M3FN>) -> tensor<1x3xf8E4M3FN>
    %2 = stablehlo.reverse %arg1, dims = [1] : tensor<16x7xf8E4M3FN>
    %3 = stablehlo.dot_general %arg3, %arg2, batching_dims = [2] x [1], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x2x1x4xf8E4M3FN>, tensor<2x1x9x7xf8E4M3FN>) -> tensor<1x7x4x9x7xf32>
    return %0, %1, %2, %3 : tensor<f8E4M3FN>, tensor<1x3xf8E4M3FN>, tensor<16x7xf8E4M3FN>, tensor<1x7x4x9x7xf32>
  }
}
