module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<200xf32>, %arg1: tensor<1x2x100xf32>, %arg2: tensor<1x17x1x1xf32>, %arg3: tensor<3xf32>, %arg4: tensor<130xf32>, %arg5: tensor<200xf32>, %arg6: tensor<4x8x2xi32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<24xf32> {jax.result_info = "result[1]"}, tensor<200xf32> {jax.result_info = "result[2]"}, tensor<4x2x8xi32> {jax.result_info = "result[3]"}, tensor<4x8xi32> {jax.result_info = "result[4]"}, tensor<1x2x100xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<1x1x1xi8>
    %c_0 = stablehlo.constant dense<[[[-9, 12, -6, -7, 0, 4, -3, 6], [-6, 3, -2, 11, 10, 10, 4, 6]], [[-2, -5, 12, 12, -2, -8, -5, -5], [8, 4, -7, 12, 5, 5, 3, 5]], [[0, -2147483648, -4, 1, 7, 1, 3, -9], [-4, 0, 8, 0, -2, 1, 9, 8]], [[5, 2, 3, -5, 9, 5, 3, -7], [8, 6, 6, -6, -8, 8, -6, 2]]]> : tensor<4x2x8xi32>
    %c_1 = stablehlo.constant dense<[[[0], [1]], [[2], [1]], [[2], [1]], [[0], [1]]]> : tensor<4x2x1xi32>
    %cst = stablehlo.constant dense<[[5.625000e-01, -1.250000e-01], [1.401300e-45, -1.062500e+00], [-6.562500e-01, -9.531250e-01], [1.265625, -6.093750e-01]]> : tensor<4x2xf32>
    %c_2 = stablehlo.constant dense<[[[12, -9, 8, 11, 0, 12, -1, 5], [-9, 0, 5, 5, 0, 5, -4, -1]], [[-2, -6, -7, -8, 12, 6, 0, 6], [7, -3, 1, 1, 1, 7, 12, 9]], [[-1, 3, 5, -4, 0, 11, -4, -5], [-4, -1, -8, -4, -4, -7, -2, 5]], [[-3, 12, -2, 1, 6, -1, -6, -7], [12, 11, 5, 2, -6, -3, -7, 6]]]> : tensor<4x2x8xi32>
    %0 = "stablehlo.scatter"(%arg1, %c, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %12 = stablehlo.minimum %arg7, %arg8 : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<1x2x100xf32>, tensor<1x1x1xi8>, tensor<1x17x1x1xf32>) -> tensor<1x2x100xf32>
    %1 = chlo.erf %0 : tensor<1x2x100xf32> -> tensor<1x2x100xf32>
    %2 = "stablehlo.scatter"(%arg3, %c_1, %cst) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      stablehlo.return %arg8 : tensor<f32>
    }) : (tensor<3xf32>, tensor<4x2x1xi32>, tensor<4x2xf32>) -> tensor<3xf32>
    %3 = stablehlo.remainder %2, %arg3 : tensor<3xf32>
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %c_3, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<5> : tensor<i32>
    %c_6 = stablehlo.constant dense<130> : tensor<i32>
    %5 = stablehlo.add %c_5, %c_6 : tensor<i32>
    %c_7 = stablehlo.constant dense<5> : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_7 : tensor<i1>, tensor<i32>
    %7 = stablehlo.dynamic_slice %arg4, %6, sizes = [24] : (tensor<130xf32>, tensor<i32>) -> tensor<24xf32>
    %8 = stablehlo.subtract %arg0, %arg5 : tensor<200xf32>
    %9 = stablehlo.xor %c_0, %c_2 : tensor<4x2x8xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %10:4 = stablehlo.while(%iterArg = %c_9, %iterArg_10 = %c_8, %iterArg_11 = %9, %iterArg_12 = %c_0) : tensor<i64>, tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>
    cond {
      %c_13 = stablehlo.constant dense<1> : tensor<i64>
      %12 = stablehlo.compare LT, %iterArg, %c_13, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12:3 = func.call @closed_call(%iterArg_10, %iterArg_11, %iterArg_12) : (tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>) -> (tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>)
      %c_13 = stablehlo.constant dense<1> : tensor<i64>
      %13 = stablehlo.add %iterArg, %c_13 : tensor<i64>
      stablehlo.return %13, %12#0, %12#1, %12#2 : tensor<i64>, tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>
    }
    %11 = stablehlo.dot_general %10#3, %arg6, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8xi32>, tensor<4x8x2xi32>) -> tensor<4x8xi32>
    return %3, %7, %8, %10#2, %11, %1 : tensor<3xf32>, tensor<24xf32>, tensor<200xf32>, tensor<4x2x8xi32>, tensor<4x8xi32>, tensor<1x2x100xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<4x2x8xi32>, %arg2: tensor<4x2x8xi32>) -> (tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x2x8xi32>
    %2 = stablehlo.xor %arg1, %1 : tensor<4x2x8xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4x2x8xi32>
    %4 = stablehlo.xor %arg2, %3 : tensor<4x2x8xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.reduce(%4 init: %c_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x8xi32>, tensor<i32>) -> tensor<i32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<4x2x8xi32>
    %7 = stablehlo.add %2, %6 : tensor<4x2x8xi32>
    return %0, %arg2, %7 : tensor<i64>, tensor<4x2x8xi32>, tensor<4x2x8xi32>
  }
}
