module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf16>, %arg1: tensor<5x2xf16>, %arg2: tensor<24x2xf16>, %arg3: tensor<2xf16>) -> (tensor<24x2xi1> {jax.result_info = "result[0]"}, tensor<24x2xf16> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<[[6.103520e-05, -1.562500e-02], [-6.093750e-01, -1.718750e-01], [-2.968750e-01, -4.687500e-02]]> : tensor<3x2xf16>
    %c = stablehlo.constant dense<[1, 13]> : tensor<2xi32>
    %0 = stablehlo.concatenate %arg0, %cst, %arg0, %arg1, dim = 0 : (tensor<8x2xf16>, tensor<3x2xf16>, tensor<8x2xf16>, tensor<5x2xf16>) -> tensor<24x2xf16>
    %1 = stablehlo.compare LE, %0, %arg2, FLOAT : (tensor<24x2xf16>, tensor<24x2xf16>) -> tensor<24x2xi1>
    %c_0 = stablehlo.constant dense<[0, 23]> : tensor<2xi32>
    %c_1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %3 = stablehlo.minimum %c_0, %2 : tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %5 = stablehlo.clamp %4, %c, %3 : tensor<2xi32>
    %6 = "stablehlo.scatter"(%arg2, %5, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0]>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f16>, %arg5: tensor<f16>):
      %8 = stablehlo.subtract %arg4, %arg5 : tensor<f16>
      stablehlo.return %8 : tensor<f16>
    }) : (tensor<24x2xf16>, tensor<2xi32>, tensor<2xf16>) -> tensor<24x2xf16>
    %7 = stablehlo.round_nearest_afz %6 : tensor<24x2xf16>
    return %1, %7 : tensor<24x2xi1>, tensor<24x2xf16>
  }
}
