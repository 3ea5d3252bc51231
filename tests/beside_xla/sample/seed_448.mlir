module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x2xf64>, %arg1: tensor<f64>, %arg2: tensor<8x9xbf16>, %arg3: tensor<5x9xbf16>) -> (tensor<7x2xf64> {jax.result_info = "result[0]"}, tensor<4x1xf64> {jax.result_info = "result[1]"}, tensor<5x8xi1> {jax.result_info = "result[2]"}, tensor<5xi1> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[[0.0062540993501218646, 0.0096344949322881758], [-0.0038737158421155216, 0.027234630103487745], [-0.0047141580358333766, 0.0088456557864983343], [0.013157843764857638, -0.012048710381563837], [-0.0032451460579197428, -0.0059343411695204074], [0.0016879916740751314, -0.014635844852931894], [0.0019267540736517361, 5.4334668336429364E-4]]> : tensor<7x2xf64>
    %0 = stablehlo.add %arg0, %cst : tensor<7x2xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %1 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 3>}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %13 = stablehlo.multiply %arg4, %arg5 : tensor<f64>
      stablehlo.return %13 : tensor<f64>
    }) : (tensor<7x2xf64>, tensor<f64>) -> tensor<4x1xf64>
    %cst_1 = stablehlo.constant dense<-4.218750e-01> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
    %4 = stablehlo.clamp %2, %1, %3 : tensor<4x1xf64>
    %5 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x9xbf16>, tensor<8x9xbf16>) -> tensor<5x8xf32>
    %6 = stablehlo.abs %5 : tensor<5x8xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x8xf32>
    %8 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x8xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.multiply across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %10 = stablehlo.abs %9 : tensor<5xf32>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %12 = stablehlo.compare EQ, %10, %11, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    return %0, %4, %8, %12 : tensor<7x2xf64>, tensor<4x1xf64>, tensor<5x8xi1>, tensor<5xi1>
  }
}
