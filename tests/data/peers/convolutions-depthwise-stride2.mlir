module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x8x8x6xf32>) -> (tensor<1x4x4x6xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[[[0.526852071, -0.653896928, -0.201087788, -0.378814667, 0.283515751, -0.0353521556]], [[0.0281396415, -0.015087815, -0.0874383151, 0.567935765, 0.366494894, -0.640299797]], [[0.362900317, -0.410228938, 0.518433511, -0.451829076, -0.601008654, -0.643626571]]], [[[-0.695004702, 0.2043688, -0.15467754, -0.4577187, 0.596563578, 0.00177418126]], [[-0.502772331, 0.815010666, -0.21278365, 0.0229235385, -0.536571741, -0.159472987]], [[-0.721126258, 0.0961981043, -0.025300581, -0.427494109, -0.00993551313, -0.586487472]]], [[[0.0392288119, -0.116491623, 0.619703352, 0.43392548, -0.10784442, -0.0143319312]], [[0.00346780918, -0.0773726776, -0.00711715454, 0.578619361, 0.490640968, 0.320524186]], [[0.11871545, 0.784978568, 0.487770647, -0.179991364, -0.165236041, 0.579192758]]]]> : tensor<3x3x1x6xf32>
    %cst_0 = stablehlo.constant dense<[-0.0358671807, -0.191329345, 0.102716707, -0.135516644, -0.167146832, -0.10570015]> : tensor<6xf32>
    %0 = stablehlo.convolution(%arg0, %cst) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x6xf32>, tensor<3x3x1x6xf32>) -> tensor<1x4x4x6xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<1x4x4x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x4x4x6xf32>
    return %3 : tensor<1x4x4x6xf32>
  }
}
