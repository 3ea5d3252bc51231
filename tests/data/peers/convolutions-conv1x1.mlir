module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x6x5xf32>) -> (tensor<2x6x6x7xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[[[0.706846237, -0.877294779, -0.26978758, -0.50823319, 0.380376309, -0.0474298932, 0.0377532914], [-0.0202424284, -0.117310807, 0.761965751, 0.491704494, -0.85905236, 0.486881882, -0.550379872], [0.695551515, -0.60619229, -0.806337714, -0.863515615, -0.932446599, 0.274189532, -0.207521692], [-0.614094078, 0.800374031, 0.00238031382, -0.674539864, 1.09345162, -0.285479218, 0.0307551548], [-0.719886541, -0.213955462, -0.967492401, 0.129063293, -0.0339442901, -0.573543549, -0.0133298887]]]]> : tensor<1x1x5x7xf32>
    %cst_0 = stablehlo.constant dense<[-0.124412775, 0.00832168757, -0.0247116052, 0.131458923, 9.204950e-02, -0.0228772573, -0.0030402618]> : tensor<7xf32>
    %0 = stablehlo.convolution(%arg0, %cst) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x5xf32>, tensor<1x1x5x7xf32>) -> tensor<2x6x6x7xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [3] : (tensor<7xf32>) -> tensor<1x1x1x7xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x7xf32>) -> tensor<2x6x6x7xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x6x6x7xf32>
    return %3 : tensor<2x6x6x7xf32>
  }
}
