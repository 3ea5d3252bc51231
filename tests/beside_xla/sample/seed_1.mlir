module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf16>, %arg1: tensor<3xf16>, %arg2: tensor<8x2xf64>, %arg3: tensor<1x2xf64>, %arg4: tensor<i32>, %arg5: tensor<3xf16>, %arg6: tensor<3xf16>, %arg7: tensor<5xf16>, %arg8: tensor<f16>, %arg9: tensor<f16>) -> (tensor<10xf16> {jax.result_info = "result[0]"}, tensor<10xf16> {jax.result_info = "result[1]"}, tensor<3xi1> {jax.result_info = "result[2]"}, tensor<5xf16> {jax.result_info = "result[3]"}, tensor<5x8xf16> {jax.result_info = "result[4]"}, tensor<8x2xf64> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[2.500000e+00, 1.750000e+00, 7.500000e-01, -1.500000e+00, -7.500000e-01, 2.000000e+00, 6.550400e+04, -1.000000e+00, 2.500000e-01, -1.000000e+00]> : tensor<10xf16>
    %cst_0 = stablehlo.constant dense<[[-2.250000e+00, -2.250000e+00, -7.500000e-01, 0.000000e+00, -7.500000e-01, -2.500000e-01, 7.500000e-01, 3.000000e+00], [-2.250000e+00, 2.500000e+00, 2.500000e-01, 1.000000e+00, 1.250000e+00, -3.000000e+00, -2.000000e+00, -2.000000e+00], [-2.750000e+00, 2.500000e-01, 0.000000e+00, -5.000000e-01, -2.500000e-01, 3.000000e+00, -7.500000e-01, -2.500000e-01], [-1.000000e+00, -0.000000e+00, -1.250000e+00, -2.000000e+00, 2.000000e+00, 2.250000e+00, -2.500000e+00, 1.000000e+00], [2.500000e+00, 2.250000e+00, 2.500000e+00, 1.250000e+00, -2.750000e+00, 7.500000e-01, -2.250000e+00, -2.000000e+00]]> : tensor<5x8xf16>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<7xf16>, tensor<3xf16>) -> tensor<10xf16>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %1:4 = stablehlo.while(%iterArg = %arg3, %iterArg_4 = %c_1, %iterArg_5 = %c, %iterArg_6 = %arg2) : tensor<1x2xf64>, tensor<i64>, tensor<i64>, tensor<8x2xf64>
    cond {
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %8 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8:2 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6) : (tensor<1x2xf64>, tensor<i64>, tensor<8x2xf64>) -> (tensor<i64>, tensor<8x2xf64>)
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %9 = stablehlo.add %iterArg_4, %c_7 : tensor<i64>
      stablehlo.return %iterArg, %9, %8#0, %8#1 : tensor<1x2xf64>, tensor<i64>, tensor<i64>, tensor<8x2xf64>
    }
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.clamp %c_2, %arg4, %c_3 : tensor<i32>
    %3:2 = "stablehlo.case"(%2) ({
      stablehlo.return %0, %cst : tensor<10xf16>, tensor<10xf16>
    }, {
      stablehlo.return %cst, %0 : tensor<10xf16>, tensor<10xf16>
    }, {
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f16>
      %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<10xf16>
      %9 = stablehlo.multiply %0, %8 : tensor<10xf16>
      %10 = stablehlo.add %9, %cst : tensor<10xf16>
      stablehlo.return %cst, %10 : tensor<10xf16>, tensor<10xf16>
    }) : (tensor<i32>) -> (tensor<10xf16>, tensor<10xf16>)
    %4 = stablehlo.compare EQ, %arg5, %arg6, FLOAT : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
    %5 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f16>) -> tensor<5x8xf16>
    %6 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f16>) -> tensor<5x8xf16>
    %7 = stablehlo.clamp %5, %cst_0, %6 : tensor<5x8xf16>
    return %3#0, %3#1, %4, %arg7, %7, %1#3 : tensor<10xf16>, tensor<10xf16>, tensor<3xi1>, tensor<5xf16>, tensor<5x8xf16>, tensor<8x2xf64>
  }
  func.func private @closed_call(%arg0: tensor<1x2xf64>, %arg1: tensor<i64>, %arg2: tensor<8x2xf64>) -> (tensor<i64>, tensor<8x2xf64>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, %c_2, sizes = [1, 2] : (tensor<1x2xf64>, tensor<i64>, tensor<i64>) -> tensor<1x2xf64>
    %c_3 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_3 : tensor<i64>
    %c_4 = stablehlo.constant dense<8> : tensor<i64>
    %7 = call @remainder(%6, %c_4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_6 = stablehlo.constant dense<8> : tensor<i64>
    %10 = stablehlo.add %9, %c_6 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11, %c_7 : (tensor<8x2xf64>, tensor<1x2xf64>, tensor<i64>, tensor<i64>) -> tensor<8x2xf64>
    return %0, %12 : tensor<i64>, tensor<8x2xf64>
  }
  func.func private @remainder(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %1 = call @_where(%0, %c_0, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %2 = stablehlo.remainder %arg0, %1 : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.compare NE, %2, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i64>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i64>
    return %9 : tensor<i64>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i64>
    return %0 : tensor<i64>
  }
}
