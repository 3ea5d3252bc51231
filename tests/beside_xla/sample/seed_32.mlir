module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x2x5x2xf8E4M3FNUZ>, %arg1: tensor<3x7xf32>, %arg2: tensor<3x7xf32>, %arg3: tensor<3x7xf32>, %arg4: tensor<f32>, %arg5: tensor<3x7xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<3x7xf32> {jax.result_info = "result[1]"}, tensor<3x7xf32> {jax.result_info = "result[2]"}, tensor<3x7xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<3x7xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[[[-3.000000e+00], [2.500000e-01], [9.183550e-41], [-2.250000e+00], [2.750000e+00]], [[-2.500000e+00], [2.500000e+00], [-2.750000e+00], [1.250000e+00], [-2.500000e+00]], [[-1.250000e+00], [-3.000000e+00], [-7.500000e-01], [-1.250000e+00], [-9.183550e-41]], [[-1.000000e+00], [-2.500000e+00], [2.000000e+00], [-2.750000e+00], [-1.250000e+00]], [[2.750000e+00], [3.000000e+00], [2.750000e+00], [-3.000000e+00], [-2.250000e+00]], [[1.250000e+00], [-2.500000e-01], [-2.000000e+00], [-2.750000e+00], [-2.250000e+00]], [[1.500000e+00], [1.250000e+00], [3.389530e+38], [3.389530e+38], [2.500000e-01]], [[-3.000000e+00], [-9.183550e-41], [0.000000e+00], [1.500000e+00], [-2.500000e+00]], [[2.000000e+00], [-3.389530e+38], [-2.750000e+00], [2.000000e+00], [2.750000e+00]]]> : tensor<9x5x1xbf16>
    %0 = stablehlo.reverse %arg0, dims = [0, 1, 2, 3] : tensor<1x2x5x2xf8E4M3FNUZ>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:4 = stablehlo.while(%iterArg = %c_0, %iterArg_3 = %c, %iterArg_4 = %arg1, %iterArg_5 = %arg2) : tensor<i64>, tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i64>
      %8 = stablehlo.compare LT, %iterArg, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8:3 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5) : (tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>) -> (tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %9 = stablehlo.add %iterArg, %c_6 : tensor<i64>
      stablehlo.return %9, %8#0, %8#1, %8#2 : tensor<i64>, tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>
    }
    %2 = stablehlo.sign %0 : tensor<1x2x5x2xf8E4M3FNUZ>
    %3 = stablehlo.bitcast_convert %2 : (tensor<1x2x5x2xf8E4M3FNUZ>) -> tensor<1x2x5xbf16>
    %4 = stablehlo.dot_general %cst, %3, contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<9x5x1xbf16>, tensor<1x2x5xbf16>) -> tensor<9x1x1x2xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5:4 = stablehlo.while(%iterArg = %arg4, %iterArg_3 = %c_1, %iterArg_4 = %1#3, %iterArg_5 = %arg3) : tensor<f32>, tensor<i32>, tensor<3x7xf32>, tensor<3x7xf32>
    cond {
      %8 = stablehlo.reshape %iterArg_4 : (tensor<3x7xf32>) -> tensor<21xf32>
      %9 = stablehlo.slice %8 [0:1] : (tensor<21xf32>) -> tensor<1xf32>
      %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
      %c_6 = stablehlo.constant dense<6> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %12 = stablehlo.compare LT, %10, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = stablehlo.and %11, %12 : tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x7xf32>
      %10 = stablehlo.multiply %iterArg_4, %9 : tensor<3x7xf32>
      %11 = stablehlo.add %10, %iterArg_5 : tensor<3x7xf32>
      stablehlo.return %iterArg, %8, %iterArg_5, %11 : tensor<f32>, tensor<i32>, tensor<3x7xf32>, tensor<3x7xf32>
    }
    %6 = stablehlo.multiply %1#2, %arg5 : tensor<3x7xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.multiply across dimensions = [0, 1, 2, 3] : (tensor<9x1x1x2xf32>, tensor<f32>) -> tensor<f32>
    return %5#1, %5#2, %5#3, %6, %7, %1#3 : tensor<i32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<3x7xf32>, tensor<f32>, tensor<3x7xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<3x7xf32>, %arg2: tensor<3x7xf32>) -> (tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x7xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<3x7xf32>
    return %0, %2, %arg1 : tensor<i64>, tensor<3x7xf32>, tensor<3x7xf32>
  }
}
