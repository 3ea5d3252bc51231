module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xbf16>, %arg1: tensor<i32>, %arg2: tensor<9x2xi32>, %arg3: tensor<1x1x1x2xbf16>, %arg4: tensor<1x2x1x2xbf16>, %arg5: tensor<1x2x1x2xbf16>, %arg6: tensor<9x2xi8>, %arg7: tensor<4x9xbf16>) -> (tensor<9x2xi8> {jax.result_info = "result[0]"}, tensor<9x2xi32> {jax.result_info = "result[1]"}, tensor<1x1x1x2xbf16> {jax.result_info = "result[2]"}, tensor<9x2xi8> {jax.result_info = "result[3]"}, tensor<4xi1> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[2.500000e+00, -2.500000e-01, -1.000000e+00, 3.000000e+00, 1.750000e+00, 7.500000e-01, -7.500000e-01, -2.500000e+00, -2.500000e+00]> : tensor<9xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg1, %c_0 : tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      stablehlo.return %arg0, %cst : tensor<9xbf16>, tensor<9xbf16>
    }, {
      stablehlo.return %cst, %arg0 : tensor<9xbf16>, tensor<9xbf16>
    }, {
      %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
      %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<9xbf16>
      %27 = stablehlo.multiply %arg0, %26 : tensor<9xbf16>
      %28 = stablehlo.add %27, %cst : tensor<9xbf16>
      stablehlo.return %cst, %28 : tensor<9xbf16>, tensor<9xbf16>
    }) : (tensor<i32>) -> (tensor<9xbf16>, tensor<9xbf16>)
    %2 = stablehlo.bitcast_convert %1#1 : (tensor<9xbf16>) -> tensor<9x2xi8>
    %3:2 = "stablehlo.sort"(%2, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg8: tensor<i8>, %arg9: tensor<i8>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %26 = stablehlo.compare LT, %arg8, %arg9, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %26 : tensor<i1>
    }) : (tensor<9x2xi8>, tensor<9x2xi32>) -> (tensor<9x2xi8>, tensor<9x2xi32>)
    %4 = call @cummax(%3#1) : (tensor<9x2xi32>) -> tensor<9x2xi32>
    %5 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x1x2xbf16>, tensor<1x2x1x2xbf16>) -> tensor<1x1x1x2xbf16>
    %cst_1 = stablehlo.constant dense<7.070310e-01> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<1x1x1x2xbf16>
    %7 = stablehlo.multiply %5, %6 : tensor<1x1x1x2xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<1x1x1x2xbf16>, tensor<bf16>) -> tensor<1x1x1xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<1x1x1xbf16>
    %10 = stablehlo.maximum %9, %8 : tensor<1x1x1xbf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x1xbf16>) -> tensor<1x1x1x1xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xbf16>) -> tensor<1x1x1x2xbf16>
    %13 = stablehlo.subtract %7, %12 : tensor<1x1x1x2xbf16>
    %14 = stablehlo.exponential %13 : tensor<1x1x1x2xbf16>
    %15 = stablehlo.convert %14 : (tensor<1x1x1x2xbf16>) -> tensor<1x1x1x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %18 = stablehlo.convert %17 : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xbf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xbf16>) -> tensor<1x1x1x2xbf16>
    %20 = stablehlo.divide %14, %19 : tensor<1x1x1x2xbf16>
    %21 = stablehlo.dot_general %arg5, %20, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x1x2xbf16>, tensor<1x1x1x2xbf16>) -> tensor<1x1x2x1xbf16>
    %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<1x1x2x1xbf16>) -> tensor<1x1x1x2xbf16>
    %23 = stablehlo.shift_left %2, %arg6 : tensor<9x2xi8>
    %24 = stablehlo.dot_general %arg7, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x9xbf16>, tensor<9xbf16>) -> tensor<4xbf16>
    %25 = stablehlo.compare NE, %24, %24, FLOAT : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
    return %3#0, %4, %22, %23, %25 : tensor<9x2xi8>, tensor<9x2xi32>, tensor<1x1x1x2xbf16>, tensor<9x2xi8>, tensor<4xi1>
  }
  func.func private @cummax(%arg0: tensor<9x2xi32>) -> tensor<9x2xi32> {
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 9, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<9x2xi32>, tensor<i32>) -> tensor<9x2xi32>
    return %1 : tensor<9x2xi32>
  }
}
