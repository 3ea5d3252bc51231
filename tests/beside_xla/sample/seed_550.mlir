module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<4x1x4x8xf32>, %arg2: tensor<i32>, %arg3: tensor<2xf32>, %arg4: tensor<3x1xf32>, %arg5: tensor<3x6x6x2xf32>, %arg6: tensor<3x4x3x3xf32>, %arg7: tensor<4x8xf8E3M4>, %arg8: tensor<f8E3M4>, %arg9: tensor<3x4x1x8xf8E3M4>) -> (tensor<16xf32> {jax.result_info = "result[0]"}, tensor<3x1xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<4x0x2x1xf32> {jax.result_info = "result[2]"}, tensor<4x8xf8E3M4> {jax.result_info = "result[3]"}, tensor<1x128xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[5.000000e-01], [2.500000e+00], [0x7FC00000]]> : tensor<3x1xf32>
    %c = stablehlo.constant dense<[[[2, 2]], [[2, 9]], [[1, 4]], [[2, -4]]]> : tensor<4x1x2xi32>
    %0 = stablehlo.reshape %arg1 : (tensor<4x1x4x8xf32>) -> tensor<1x128xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg0, %arg3, %3 : (tensor<16xf32>, tensor<2xf32>, tensor<i32>) -> tensor<16xf32>
    %5 = stablehlo.complex %arg4, %cst : tensor<3x1xcomplex<f32>>
    %6 = stablehlo.convolution(%arg5, %arg6) dim_numbers = [0, 1, f, b]x[i, o, 0, 1]->[f, 1, b, 0], window = {stride = [1, 1], pad = [[0, 0], [-1, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x6x6x2xf32>, tensor<3x4x3x3xf32>) -> tensor<4x0x2x1xf32>
    %7 = stablehlo.reverse %0, dims = [0, 1] : tensor<1x128xf32>
    %8 = stablehlo.pad %arg7, %arg8, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf8E3M4>, tensor<f8E3M4>) -> tensor<4x8xf8E3M4>
    %c_2 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %c_3 = stablehlo.constant dense<2147483647> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.minimum %c_2, %9 : tensor<2xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [2] : (tensor<2xi32>) -> tensor<4x1x2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4x1x2xi32>
    %13 = stablehlo.clamp %12, %c, %11 : tensor<4x1x2xi32>
    %14 = "stablehlo.scatter"(%8, %13, %arg9) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 3], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f8E3M4>, %arg11: tensor<f8E3M4>):
      stablehlo.return %arg11 : tensor<f8E3M4>
    }) : (tensor<4x8xf8E3M4>, tensor<4x1x2xi32>, tensor<3x4x1x8xf8E3M4>) -> tensor<4x8xf8E3M4>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%7 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<1x128xf32>, tensor<f32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<1x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x128xf32>
    %18 = stablehlo.compare EQ, %7, %17, FLOAT : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xi1>
    %19 = stablehlo.convert %18 : (tensor<1x128xi1>) -> tensor<1x128xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<1x128xf32>, tensor<f32>) -> tensor<1xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %22 = stablehlo.maximum %21, %15 : tensor<1xf32>
    %23 = stablehlo.compare EQ, %15, %22, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %26 = stablehlo.select %23, %24, %25 : tensor<1xi1>, tensor<1xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %28 = stablehlo.compare EQ, %27, %22, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %31 = stablehlo.select %28, %29, %30 : tensor<1xi1>, tensor<1xf32>
    %32 = stablehlo.divide %26, %31 : tensor<1xf32>
    %33 = stablehlo.is_finite %22 : (tensor<1xf32>) -> tensor<1xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %35 = stablehlo.select %33, %22, %34 : tensor<1xi1>, tensor<1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x128xf32>
    %39 = stablehlo.subtract %7, %38 : tensor<1x128xf32>
    %40 = stablehlo.exponential %39 : tensor<1x128xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<1x128xf32>, tensor<f32>) -> tensor<1xf32>
    %42 = stablehlo.sign %41 : tensor<1xf32>
    %43 = stablehlo.abs %41 : tensor<1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %45 = stablehlo.compare GE, %41, %44, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %46 = stablehlo.log %43 : tensor<1xf32>
    %47 = stablehlo.add %46, %35 : tensor<1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %50 = stablehlo.divide %49, %43 : tensor<1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %52 = stablehlo.select %45, %51, %50 : tensor<1xi1>, tensor<1xf32>
    %53 = stablehlo.select %45, %50, %51 : tensor<1xi1>, tensor<1xf32>
    %54 = stablehlo.negate %52 : tensor<1xf32>
    %55 = stablehlo.add %53, %54 : tensor<1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<1xf32>) -> tensor<1x128xf32>
    %57 = stablehlo.multiply %56, %40 : tensor<1x128xf32>
    return %4, %5, %6, %14, %57 : tensor<16xf32>, tensor<3x1xcomplex<f32>>, tensor<4x0x2x1xf32>, tensor<4x8xf8E3M4>, tensor<1x128xf32>
  }
}
