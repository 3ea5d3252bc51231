module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x9xf64>, %arg1: tensor<f8E4M3FN>) -> (tensor<9xf64> {jax.result_info = "result[0]"}, tensor<3x9xf64> {jax.result_info = "result[1]"}, tensor<7x9xf64> {jax.result_info = "result[2]"}, tensor<4x2x1x4xf8E4M3FN> {jax.result_info = "result[3]"}, tensor<7x9xf64> {jax.result_info = "result[4]"}, tensor<7x9xf64> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[[[[-5.000000e-01, 5.000000e-01, 1.250000e+00, -1.750000e+00, 1.562500e-02, 0x7F, 5.000000e-01, -2.750000e+00, 0x7F]]], [[[0x7F, -1.250000e+00, -3.000000e+00, 5.000000e-01, 5.000000e-01, 1.750000e+00, -2.500000e+00, 5.000000e-01, -1.953130e-03]]], [[[1.250000e+00, 1.750000e+00, -7.500000e-01, -0.000000e+00, -4.480000e+02, -1.953130e-03, 1.000000e+00, -1.500000e+00, 3.000000e+00]]]]> : tensor<3x1x1x9xf8E4M3FN>
    %cst_0 = stablehlo.constant dense<[-0.020008357397583915, -1.7976931348623157E+308, -0.000000e+00, -0.0056159246523078393, -0.0036706266135954715, 1.7976931348623157E+308, 0.0050435023403121683, 1.7976931348623157E+308, 0.011035846890375876]> : tensor<9xf64>
    %cst_1 = stablehlo.constant dense<[[-6.406250e-01, 0.000000e+00, 1.296875, 4.843750e-01, -1.250000e-01, -1.078125, -9.062500e-01, 1.7976931348623157E+308, 1.031250e+00], [6.875000e-01, 1.718750e-01, -1.093750e-01, -7.656250e-01, 0x7FF8000000000000, -2.812500e-01, -3.593750e-01, 1.7976931348623157E+308, 0xFFF0000000000000], [-0.000000e+00, 2.2250738585072014E-308, 0x7FF8000000000000, 2.812500e-01, -5.156250e-01, -5.000000e-01, -2.812500e-01, -1.437500e+00, 0x7FF8000000000000], [1.515625, 0x7FF0000000000000, 1.7976931348623157E+308, 7.031250e-01, 1.093750e+00, 4.843750e-01, 0x7FF8000000000000, -1.937500e+00, -1.7976931348623157E+308], [0x7FF8000000000000, 7.812500e-02, 7.812500e-02, 7.968750e-01, -1.859375, -5.312500e-01, 1.421875, -4.375000e-01, 1.015625], [1.875000e-01, -3.125000e-02, 7.343750e-01, 6.406250e-01, 0x7FF8000000000000, 7.812500e-02, -1.250000e-01, -1.765625, 5.312500e-01], [-2.031250e-01, 1.593750e+00, -4.940660e-324, -6.093750e-01, -1.406250e-01, 6.562500e-01, 3.906250e-01, -7.656250e-01, -9.531250e-01]]> : tensor<7x9xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<7x9xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_6 = %c, %iterArg_7 = %cst_0, %iterArg_8 = %0) : tensor<7x9xf64>, tensor<i64>, tensor<9xf64>, tensor<7x9xf64>
    cond {
      %c_9 = stablehlo.constant dense<7> : tensor<i64>
      %11 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<7x9xf64>, tensor<i64>) -> tensor<9xf64>
      %12:2 = func.call @closed_call(%iterArg_7, %11) : (tensor<9xf64>, tensor<9xf64>) -> (tensor<9xf64>, tensor<9xf64>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_8, %12#1, %iterArg_6) : (tensor<7x9xf64>, tensor<9xf64>, tensor<i64>) -> tensor<7x9xf64>
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %14 = stablehlo.add %iterArg_6, %c_9 : tensor<i64>
      stablehlo.return %iterArg, %14, %12#0, %13 : tensor<7x9xf64>, tensor<i64>, tensor<9xf64>, tensor<7x9xf64>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<f64>
    %3 = "stablehlo.reduce_window"(%1#3, %2) <{base_dilations = array<i64: 1, 2>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 3, 2>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %11 = stablehlo.add %arg2, %arg3 : tensor<f64>
      stablehlo.return %11 : tensor<f64>
    }) : (tensor<7x9xf64>, tensor<f64>) -> tensor<3x9xf64>
    %4 = stablehlo.subtract %1#3, %cst_1 : tensor<7x9xf64>
    %cst_4 = stablehlo.constant dense<0xFF> : tensor<f8E4M3FN>
    %5 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f8E4M3FN>) -> tensor<3x1x1x9xf8E4M3FN>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f8E4M3FN>) -> tensor<3x1x1x9xf8E4M3FN>
    %7 = stablehlo.clamp %5, %cst, %6 : tensor<3x1x1x9xf8E4M3FN>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
    %8 = "stablehlo.reduce_window"(%7, %cst_5) <{base_dilations = array<i64: 1, 2, 1, 1>, padding = dense<[[2, 1], [2, 1], [2, 1], [1, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 2, 1, 1>, window_dimensions = array<i64: 3, 2, 3, 1>, window_strides = array<i64: 1, 1, 2, 3>}> ({
    ^bb0(%arg2: tensor<f8E4M3FN>, %arg3: tensor<f8E4M3FN>):
      %11 = stablehlo.multiply %arg2, %arg3 : tensor<f8E4M3FN>
      stablehlo.return %11 : tensor<f8E4M3FN>
    }) : (tensor<3x1x1x9xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<4x2x1x4xf8E4M3FN>
    %9 = stablehlo.iota dim = 1 : tensor<7x9xf64>
    %10 = stablehlo.subtract %1#3, %9 : tensor<7x9xf64>
    return %1#2, %3, %4, %8, %10, %9 : tensor<9xf64>, tensor<3x9xf64>, tensor<7x9xf64>, tensor<4x2x1x4xf8E4M3FN>, tensor<7x9xf64>, tensor<7x9xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<7x9xf64>, %arg1: tensor<i64>) -> tensor<9xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 9] : (tensor<7x9xf64>, tensor<i64>, tensor<i64>) -> tensor<1x9xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x9xf64>) -> tensor<9xf64>
    return %1 : tensor<9xf64>
  }
  func.func private @closed_call(%arg0: tensor<9xf64>, %arg1: tensor<9xf64>) -> (tensor<9xf64>, tensor<9xf64>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<9xf64>
    return %0, %arg0 : tensor<9xf64>, tensor<9xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<7x9xf64>, %arg1: tensor<9xf64>, %arg2: tensor<i64>) -> tensor<7x9xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<9xf64>) -> tensor<1x9xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<7x9xf64>, tensor<1x9xf64>, tensor<i64>, tensor<i64>) -> tensor<7x9xf64>
    return %1 : tensor<7x9xf64>
  }
}
