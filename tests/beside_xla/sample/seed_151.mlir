module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<8x4xi32>, %arg3: tensor<2x3x1xui8>) -> (tensor<4xi64> {jax.result_info = "result[0]"}, tensor<2x3xf32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}, tensor<7xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[-0.000000e+00, -0.00529089477, -0.00557226688], [0x7FC00000, 0.0130310385, 0.0109348493]]> : tensor<2x3xf32>
    %0 = stablehlo.negate %arg0 : tensor<7xf32>
    %1 = stablehlo.exponential %0 : tensor<7xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %3 = stablehlo.add %2, %1 : tensor<7xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %5 = stablehlo.divide %4, %3 : tensor<7xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<7xf32>
    %8 = call @argmax(%arg2) : (tensor<8x4xi32>) -> tensor<4xi64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_4 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %14 = stablehlo.subtract %5, %13 : tensor<7xf32>
    %15 = chlo.square %14 : tensor<7xf32> -> tensor<7xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_6 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %19 = stablehlo.divide %17, %18 : tensor<1xf32>
    %20 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %21 = stablehlo.subtract %5, %20 : tensor<7xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %23 = stablehlo.add %19, %22 : tensor<1xf32>
    %24 = stablehlo.rsqrt %23 : tensor<1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %26 = stablehlo.multiply %21, %25 : tensor<7xf32>
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %27 = stablehlo.convert %arg3 : (tensor<2x3x1xui8>) -> tensor<2x3x1xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x3x1xi32>
    %29 = stablehlo.compare GE, %27, %28, SIGNED : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x1xi1>
    %30 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x3x1xi32>
    %32 = stablehlo.compare LE, %27, %31, SIGNED : (tensor<2x3x1xi32>, tensor<2x3x1xi32>) -> tensor<2x3x1xi1>
    %33 = stablehlo.and %29, %32 : tensor<2x3x1xi1>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %34 = stablehlo.reduce(%33 init: %c_9) applies stablehlo.and across dimensions = [2] : (tensor<2x3x1xi1>, tensor<i1>) -> tensor<2x3xi1>
    %35 = "stablehlo.gather"(%26, %27) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<7xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
    %cst_10 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %37 = stablehlo.select %34, %35, %36 : tensor<2x3xi1>, tensor<2x3xf32>
    %38 = stablehlo.atan2 %37, %cst : tensor<2x3xf32>
    %39 = stablehlo.slice %7 [0:7:3] : (tensor<7xf32>) -> tensor<3xf32>
    return %8, %38, %39, %7 : tensor<4xi64>, tensor<2x3xf32>, tensor<3xf32>, tensor<7xf32>
  }
  func.func private @argmax(%arg0: tensor<8x4xi32>) -> tensor<4xi64> {
    %0 = stablehlo.iota dim = 0 : tensor<8x4xi64>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<8x4xi32>, tensor<8x4xi64>, tensor<i32>, tensor<i64>) -> (tensor<4xi32>, tensor<4xi64>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i64>
    }
    return %1#1 : tensor<4xi64>
  }
}
