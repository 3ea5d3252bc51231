module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf8E5M2>, %arg1: tensor<f8E5M2>) -> (tensor<8xf8E5M2> {jax.result_info = "result[0]"}, tensor<3x5xf64> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<[[0.0034004152092190856, 0.014525235360533467, -0.0040528029481435987, 0.020377105000786381, 0.011493674654019292], [0.0053506621207240748, 0.0018716075250368011, 0.031811626415624558, -0.022189579177979923, -0.0083840918574167224], [-0.019742626567787851, 0.007102349655438516, 0.0028735122858292088, -0.002907799801855261, 1.7976931348623157E+308]]> : tensor<3x5xf64>
    %0 = stablehlo.floor %arg0 : tensor<3xf8E5M2>
    %1 = stablehlo.negate %0 : tensor<3xf8E5M2>
    %2 = stablehlo.pad %1, %arg1, low = [3], high = [-2], interior = [2] : (tensor<3xf8E5M2>, tensor<f8E5M2>) -> tensor<8xf8E5M2>
    return %2, %cst : tensor<8xf8E5M2>, tensor<3x5xf64>
  }
}
