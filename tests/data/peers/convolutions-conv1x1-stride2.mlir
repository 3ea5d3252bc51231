module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x7x7x4xf32>) -> (tensor<1x4x4x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[[[0.790278077, -0.980845391, -0.301631659, -5.682220e-01, 0.425273627, -0.0530282296, 0.0422094613, -0.0226317216], [-0.131157473, 0.851903617, 0.549742341, -0.960449695, 0.544350505, -0.615343391, 0.777650237, -0.677743613], [-0.90151298, -0.965439796, -1.04250705, 0.306553215, -0.23201631, -0.686578035, 0.894845366, 0.00266127172], [-0.754158496, 1.22251606, -0.319175452, 0.0343853086, -0.804857611, -0.239209473, -1.08168936, 0.144297153]]]]> : tensor<1x1x4x8xf32>
    %cst_0 = stablehlo.constant dense<[-0.00536706392, -0.0906851962, -0.0021076405, -0.124412775, 0.00832168757, -0.0247116052, 0.131458923, 9.204950e-02]> : tensor<8xf32>
    %0 = stablehlo.convolution(%arg0, %cst) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x4xf32>, tensor<1x1x4x8xf32>) -> tensor<1x4x4x8xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x4x4x8xf32>
    return %3 : tensor<1x4x4x8xf32>
  }
}
