module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x2x17xf16>, %arg1: tensor<7x2xf16>, %arg2: tensor<7x2xf16>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<1x1x1xf16>, %arg7: tensor<17xf16>, %arg8: tensor<17xf16>) -> (tensor<3x2x9xf16> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}, tensor<7x2xf16> {jax.result_info = "result[2]"}, tensor<7x1xf16> {jax.result_info = "result[3]"}, tensor<17xi1> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<2> : tensor<1x1x1xui32>
    %0 = stablehlo.slice %arg0 [0:3, 0:2, 0:17:2] : (tensor<3x2x17xf16>) -> tensor<3x2x9xf16>
    %1 = stablehlo.convert %0 : (tensor<3x2x9xf16>) -> tensor<3x2x9xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<3x2x9xf32>, tensor<f32>) -> tensor<3x2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %cst_0 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<3x2x1xf32>
    %6 = stablehlo.convert %5 : (tensor<3x2x1xf32>) -> tensor<3x2x1xf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<3x2x1xf16>) -> tensor<3x2x9xf16>
    %8 = stablehlo.subtract %0, %7 : tensor<3x2x9xf16>
    %9 = chlo.square %8 : tensor<3x2x9xf16> -> tensor<3x2x9xf16>
    %10 = stablehlo.convert %9 : (tensor<3x2x9xf16>) -> tensor<3x2x9xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<3x2x9xf32>, tensor<f32>) -> tensor<3x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<3x2xf32>) -> tensor<3x2x1xf32>
    %cst_2 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<3x2x1xf32>
    %15 = stablehlo.convert %14 : (tensor<3x2x1xf32>) -> tensor<3x2x1xf16>
    %16 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<3x2x1xf16>) -> tensor<3x2x9xf16>
    %17 = stablehlo.subtract %0, %16 : tensor<3x2x9xf16>
    %cst_3 = stablehlo.constant dense<1.000400e-03> : tensor<f16>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<3x2x1xf16>
    %19 = stablehlo.add %15, %18 : tensor<3x2x1xf16>
    %20 = stablehlo.rsqrt %19 : tensor<3x2x1xf16>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<3x2x1xf16>) -> tensor<3x2x9xf16>
    %22 = stablehlo.multiply %17, %21 : tensor<3x2x9xf16>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %23:4 = stablehlo.while(%iterArg = %arg3, %iterArg_9 = %c_4, %iterArg_10 = %arg1, %iterArg_11 = %arg2) : tensor<f32>, tensor<i32>, tensor<7x2xf16>, tensor<7x2xf16>
    cond {
      %34 = stablehlo.reshape %iterArg_10 : (tensor<7x2xf16>) -> tensor<14xf16>
      %35 = stablehlo.slice %34 [0:1] : (tensor<14xf16>) -> tensor<1xf16>
      %36 = stablehlo.reshape %35 : (tensor<1xf16>) -> tensor<f16>
      %c_12 = stablehlo.constant dense<3> : tensor<i32>
      %37 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %38 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<f16>
      %39 = stablehlo.compare LT, %36, %38, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %40 = stablehlo.and %37, %39 : tensor<i1>
      stablehlo.return %40 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      %35 = func.call @_roll_static(%iterArg_11) : (tensor<7x2xf16>) -> tensor<7x2xf16>
      %36 = stablehlo.maximum %iterArg_10, %iterArg_11 : tensor<7x2xf16>
      stablehlo.return %iterArg, %34, %35, %36 : tensor<f32>, tensor<i32>, tensor<7x2xf16>, tensor<7x2xf16>
    }
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.compare LT, %arg4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<7> : tensor<i32>
    %25 = stablehlo.add %arg4, %c_6 : tensor<i32>
    %26 = stablehlo.select %24, %25, %arg4 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.compare LT, %arg5, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<2> : tensor<i32>
    %28 = stablehlo.add %arg5, %c_8 : tensor<i32>
    %29 = stablehlo.select %27, %28, %arg5 : tensor<i1>, tensor<i32>
    %30 = stablehlo.dynamic_slice %23#3, %26, %29, sizes = [7, 1] : (tensor<7x2xf16>, tensor<i32>, tensor<i32>) -> tensor<7x1xf16>
    %31 = "stablehlo.scatter"(%30, %c, %arg6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f16>, %arg10: tensor<f16>):
      %34 = stablehlo.add %arg9, %arg10 : tensor<f16>
      stablehlo.return %34 : tensor<f16>
    }) : (tensor<7x1xf16>, tensor<1x1x1xui32>, tensor<1x1x1xf16>) -> tensor<7x1xf16>
    %32 = stablehlo.round_nearest_even %arg7 : tensor<17xf16>
    %33 = stablehlo.compare NE, %32, %arg8, FLOAT : (tensor<17xf16>, tensor<17xf16>) -> tensor<17xi1>
    return %22, %23#1, %23#2, %31, %33 : tensor<3x2x9xf16>, tensor<i32>, tensor<7x2xf16>, tensor<7x1xf16>, tensor<17xi1>
  }
  func.func private @_roll_static(%arg0: tensor<7x2xf16>) -> tensor<7x2xf16> {
    %0 = stablehlo.slice %arg0 [6:7, 0:2] : (tensor<7x2xf16>) -> tensor<1x2xf16>
    %1 = stablehlo.slice %arg0 [0:6, 0:2] : (tensor<7x2xf16>) -> tensor<6x2xf16>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x2xf16>, tensor<6x2xf16>) -> tensor<7x2xf16>
    return %2 : tensor<7x2xf16>
  }
}
