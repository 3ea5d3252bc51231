module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f16>, %arg1: tensor<f16>, %arg2: tensor<f16>, %arg3: tensor<7xbf16>, %arg4: tensor<7x7xbf16>, %arg5: tensor<7x7xbf16>, %arg6: tensor<i32>) -> (tensor<15x8xbf16> {jax.result_info = "result[0]"}, tensor<f16> {jax.result_info = "result[1]"}, tensor<7x7xbf16> {jax.result_info = "result[2]"}, tensor<7xbf16> {jax.result_info = "result[3]"}, tensor<7xbf16> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[2.500000e+00, -2.000000e+00, -2.750000e+00, 2.250000e+00, -2.500000e+00, 2.500000e+00, -3.389530e+38]> : tensor<7xbf16>
    %cst_0 = stablehlo.constant dense<[[-1.250000e+00, -1.500000e+00, -1.750000e+00, 2.750000e+00], [1.750000e+00, -3.000000e+00, 0.000000e+00, 2.500000e+00], [-5.000000e-01, -2.500000e-01, -2.500000e+00, 2.500000e-01], [-1.500000e+00, -1.250000e+00, 5.000000e-01, 2.000000e+00], [-7.500000e-01, 1.750000e+00, 1.000000e+00, 1.250000e+00], [1.750000e+00, 1.500000e+00, -9.183550e-41, -2.750000e+00], [2.500000e+00, -5.000000e-01, -3.000000e+00, 1.750000e+00], [-2.000000e+00, -1.250000e+00, 2.750000e+00, -2.500000e-01]]> : tensor<8x4xbf16>
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<f16>
    %1 = stablehlo.sign %0 : tensor<f16>
    %2 = stablehlo.add %1, %arg2 : tensor<f16>
    %3 = stablehlo.subtract %2, %arg2 : tensor<f16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %5 = "stablehlo.reduce_window"(%arg5, %4) <{base_dilations = array<i64: 2, 1>, padding = dense<[[0, 2], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg7: tensor<bf16>, %arg8: tensor<bf16>):
      %22 = stablehlo.add %arg7, %arg8 : tensor<bf16>
      stablehlo.return %22 : tensor<bf16>
    }) : (tensor<7x7xbf16>, tensor<bf16>) -> tensor<15x8xbf16>
    %6 = stablehlo.negate %5 : tensor<15x8xbf16>
    %7 = stablehlo.exponential %6 : tensor<15x8xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<15x8xbf16>
    %9 = stablehlo.add %8, %7 : tensor<15x8xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<15x8xbf16>
    %11 = stablehlo.divide %10, %9 : tensor<15x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %arg6, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<15> : tensor<i32>
    %13 = stablehlo.add %arg6, %c_4 : tensor<i32>
    %14 = stablehlo.select %12, %13, %arg6 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<6> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %c_5, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<6> : tensor<i32>
    %c_8 = stablehlo.constant dense<8> : tensor<i32>
    %16 = stablehlo.add %c_7, %c_8 : tensor<i32>
    %c_9 = stablehlo.constant dense<6> : tensor<i32>
    %17 = stablehlo.select %15, %16, %c_9 : tensor<i1>, tensor<i32>
    %18 = stablehlo.dynamic_update_slice %11, %cst_0, %14, %17 : (tensor<15x8xbf16>, tensor<8x4xbf16>, tensor<i32>, tensor<i32>) -> tensor<15x8xbf16>
    %19 = stablehlo.subtract %arg1, %3 : tensor<f16>
    %20 = stablehlo.minimum %arg5, %arg4 : tensor<7x7xbf16>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %c_11 = stablehlo.constant dense<0> : tensor<i64>
    %21:4 = stablehlo.while(%iterArg = %c_11, %iterArg_12 = %c_10, %iterArg_13 = %arg3, %iterArg_14 = %cst) : tensor<i64>, tensor<i64>, tensor<7xbf16>, tensor<7xbf16>
    cond {
      %c_15 = stablehlo.constant dense<3> : tensor<i64>
      %22 = stablehlo.compare LT, %iterArg, %c_15, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22:3 = func.call @closed_call(%iterArg_12, %iterArg_13, %iterArg_14) : (tensor<i64>, tensor<7xbf16>, tensor<7xbf16>) -> (tensor<i64>, tensor<7xbf16>, tensor<7xbf16>)
      %c_15 = stablehlo.constant dense<1> : tensor<i64>
      %23 = stablehlo.add %iterArg, %c_15 : tensor<i64>
      stablehlo.return %23, %22#0, %22#1, %22#2 : tensor<i64>, tensor<i64>, tensor<7xbf16>, tensor<7xbf16>
    }
    return %18, %19, %20, %21#2, %21#3 : tensor<15x8xbf16>, tensor<f16>, tensor<7x7xbf16>, tensor<7xbf16>, tensor<7xbf16>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<7xbf16>, %arg2: tensor<7xbf16>) -> (tensor<i64>, tensor<7xbf16>, tensor<7xbf16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    return %0, %arg2, %arg1 : tensor<i64>, tensor<7xbf16>, tensor<7xbf16>
  }
}
