module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x2x4xf32>, %arg1: tensor<2x16x2x4xf32>, %arg2: tensor<2x16x2x4xf32>) -> (tensor<1xf8E4M3FNUZ> {jax.result_info = "result[0]"}, tensor<2x3x2x4xf32> {jax.result_info = "result[1]"}, tensor<1xf8E4M3FNUZ> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<-1.875000e-01> : tensor<1xf8E4M3FNUZ>
    %0 = stablehlo.negate %cst : tensor<1xf8E4M3FNUZ>
    %1 = stablehlo.reverse %0, dims = [0] : tensor<1xf8E4M3FNUZ>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f8E4M3FNUZ>
    %2 = stablehlo.pad %1, %cst_0, low = [0], high = [0], interior = [0] : (tensor<1xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<1xf8E4M3FNUZ>
    %3 = stablehlo.subtract %1, %2 : tensor<1xf8E4M3FNUZ>
    %4 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x2x4xf32>, tensor<2x16x2x4xf32>) -> tensor<2x2x3x16xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x3x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x2x3x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<3x16xi1>
    %8 = call @tril(%7) : (tensor<3x16xi1>) -> tensor<3x16xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = call @_where(%8, %6, %cst_2) : (tensor<3x16xi1>, tensor<2x2x3x16xf32>, tensor<f32>) -> tensor<2x2x3x16xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x3x16xf32>, tensor<f32>) -> tensor<2x2x3xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x3xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x2x3xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x3xf32>) -> tensor<2x2x3x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x3x1xf32>) -> tensor<2x2x3x16xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x2x3x16xf32>
    %16 = stablehlo.exponential %15 : tensor<2x2x3x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x2x3x16xf32>, tensor<f32>) -> tensor<2x2x3xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x3xf32>) -> tensor<2x2x3x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x3x1xf32>) -> tensor<2x2x3x16xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x2x3x16xf32>
    %21 = stablehlo.dot_general %arg2, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x2x4xf32>, tensor<2x2x3x16xf32>) -> tensor<2x2x4x3xf32>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x2x4x3xf32>) -> tensor<2x3x2x4xf32>
    return %3, %22, %0 : tensor<1xf8E4M3FNUZ>, tensor<2x3x2x4xf32>, tensor<1xf8E4M3FNUZ>
  }
  func.func private @tril(%arg0: tensor<3x16xi1>) -> tensor<3x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<3x16xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x16xi64>
    %2 = stablehlo.add %0, %1 : tensor<3x16xi64>
    %3 = stablehlo.iota dim = 1 : tensor<3x16xi64>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<3x16xi64>, tensor<3x16xi64>) -> tensor<3x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<3x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<3x16xi1>, tensor<3x16xi1>
    return %6 : tensor<3x16xi1>
  }
  func.func private @_where(%arg0: tensor<3x16xi1>, %arg1: tensor<2x2x3x16xf32>, %arg2: tensor<f32>) -> tensor<2x2x3x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<3x16xi1>) -> tensor<2x2x3x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x3x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x2x3x16xi1>, tensor<2x2x3x16xf32>
    return %2 : tensor<2x2x3x16xf32>
  }
}
