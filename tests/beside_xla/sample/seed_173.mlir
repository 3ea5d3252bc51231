module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3xf32>, %arg1: tensor<1xi1>, %arg2: tensor<16xf4E2M1FN>, %arg3: tensor<f4E2M1FN>) -> (tensor<1xf32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<f4E2M1FN> {jax.result_info = "result[2]"}, tensor<17xf4E2M1FN> {jax.result_info = "result[3]"}, tensor<3x3x3xi1> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[-2.250000e+00, -3.000000e+00, 3.000000e+00, -1.250000e+00, 0x7F800000, -2.750000e+00, -7.500000e-01]], [[1.250000e+00, 7.500000e-01, 2.000000e+00, 2.000000e+00, -2.500000e+00, 3.000000e+00, 1.500000e+00]], [[1.000000e+00, -7.500000e-01, -0.000000e+00, 3.000000e+00, -2.750000e+00, -7.500000e-01, -5.000000e-01]]]> : tensor<3x1x7xf32>
    %cst_0 = stablehlo.constant dense<[[[-3.40282347E+38, -338.345123, -732.6203], [608.582275, -188.07196, 758.317932], [-942.917846, 468.744446, -449.062317]], [[-951.806884, 594.770935, 1052.99951], [-440.206573, 433.329529, -2.602830e+02], [-1591.75525, -567.942871, -749.889465]], [[112.209267, 1630.83813, -1027.88257], [71.7212753, -43.1902542, 1134.96558], [1131.51184, -371.60022, -386.20816]]]> : tensor<3x3x3xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<1xf32>
    %cst_2 = stablehlo.constant dense<3.40282347E+38> : tensor<1xf32>
    %0 = stablehlo.reshape %cst_0 : (tensor<3x3x3xf32>) -> tensor<9x3xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %16 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %16 : tensor<f32>
    }) : (tensor<9x3xf32>, tensor<f32>) -> tensor<9x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9x2xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.pad %0, %cst_6, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<9x3xf32>, tensor<f32>) -> tensor<10x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = "stablehlo.select_and_scatter"(%5, %4, %cst_7) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %16 = stablehlo.compare GE, %arg4, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    }, {
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %16 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %16 : tensor<f32>
    }) : (tensor<10x4xf32>, tensor<9x2xf32>, tensor<f32>) -> tensor<10x4xf32>
    %7 = stablehlo.slice %6 [0:9, 0:3] : (tensor<10x4xf32>) -> tensor<9x3xf32>
    %8 = stablehlo.reshape %7 : (tensor<9x3xf32>) -> tensor<3x3x3xf32>
    %9 = stablehlo.select %arg1, %cst_1, %cst_2 : tensor<1xi1>, tensor<1xf32>
    %cst_8 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %10 = stablehlo.reduce(%cst init: %cst_8) applies stablehlo.minimum across dimensions = [0, 1, 2] : (tensor<3x1x7xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.is_finite %10 : (tensor<f32>) -> tensor<i1>
    %cst_9 = stablehlo.constant dense<6.000000e+00> : tensor<f4E2M1FN>
    %12 = stablehlo.reduce(%arg2 init: %cst_9) applies stablehlo.minimum across dimensions = [0] : (tensor<16xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<f4E2M1FN>
    %13 = stablehlo.pad %arg2, %arg3, low = [-1], high = [2], interior = [0] : (tensor<16xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<17xf4E2M1FN>
    %14 = stablehlo.compare LT, %arg0, %8, FLOAT : (tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<3x3x3xi1>
    %15 = stablehlo.transpose %14, dims = [2, 1, 0] : (tensor<3x3x3xi1>) -> tensor<3x3x3xi1>
    return %9, %11, %12, %13, %15 : tensor<1xf32>, tensor<i1>, tensor<f4E2M1FN>, tensor<17xf4E2M1FN>, tensor<3x3x3xi1>
  }
}
