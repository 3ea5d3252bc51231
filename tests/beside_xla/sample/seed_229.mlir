module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<3xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xui16>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<29xf32> {jax.result_info = "result[1]"}, tensor<8x2xui16> {jax.result_info = "result[2]"}, tensor<8xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, -1.000000e+00, -2.500000e+00, 2.500000e-01, 2.750000e+00, 1.250000e+00, -7.500000e-01, -2.750000e+00]> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<[1.718750e+00, -9.375000e-02, 1.406250e-01, 2.125000e+00, -5.156250e-01]> : tensor<5xf32>
    %c = stablehlo.constant dense<0> : tensor<1xi8>
    %0 = stablehlo.maximum %arg0, %cst : tensor<8xf32>
    %1 = chlo.asinh %arg1 : tensor<f32> -> tensor<f32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %arg2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %3 = stablehlo.add %arg2, %c_2 : tensor<i32>
    %4 = stablehlo.select %2, %3, %arg2 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_update_slice %0, %arg3, %4 : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
    %6 = stablehlo.concatenate %5, %5, %5, %cst_0, dim = 0 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5xf32>) -> tensor<29xf32>
    %7 = stablehlo.subtract %5, %arg4 : tensor<8xf32>
    %8 = stablehlo.bitcast_convert %7 : (tensor<8xf32>) -> tensor<8x2xui16>
    %9 = "stablehlo.scatter"(%8, %c, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<ui16>, %arg7: tensor<ui16>):
      %10 = stablehlo.minimum %arg6, %arg7 : tensor<ui16>
      stablehlo.return %10 : tensor<ui16>
    }) : (tensor<8x2xui16>, tensor<1xi8>, tensor<8xui16>) -> tensor<8x2xui16>
    return %1, %6, %9, %0 : tensor<f32>, tensor<29xf32>, tensor<8x2xui16>, tensor<8xf32>
  }
}
