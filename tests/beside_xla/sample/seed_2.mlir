module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x1x16xbf16>, %arg1: tensor<bf16>, %arg2: tensor<2x2x37xbf16>, %arg3: tensor<3x7x3xbf16>) -> (tensor<8x2x37xbf16> {jax.result_info = "result[0]"}, tensor<2xcomplex<f64>> {jax.result_info = "result[1]"}, tensor<8x2x37xbf16> {jax.result_info = "result[2]"}, tensor<3x7x3xbf16> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[(-4.687500e-02,1.000000e+00), (2.187500e-01,2.500000e+00)]> : tensor<2xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<[[[1.093750e-01, 3.281250e-01, 2.187500e-01], [6.250000e-01, -2.031250e-01, -8.437500e-01], [1.156250e+00, -0.000000e+00, 1.578130e+00], [1.328130e+00, 1.375000e+00, 3.125000e-02], [-2.437500e+00, 1.093750e-01, -0.000000e+00], [-5.312500e-01, 0x7FC0, 6.875000e-01], [1.175490e-38, 1.890630e+00, -1.062500e+00]], [[1.828130e+00, -1.640630e+00, -3.125000e-02], [-1.125000e+00, 9.375000e-02, 9.183550e-41], [-4.843750e-01, -3.437500e-01, -9.375000e-02], [-0.000000e+00, -1.703130e+00, -8.125000e-01], [-1.062500e+00, 2.125000e+00, -1.093750e-01], [-1.125000e+00, -9.531250e-01, 4.687500e-01], [-6.562500e-01, 0.000000e+00, 1.250000e-01]], [[-1.578130e+00, 3.750000e-01, -1.093750e-01], [5.312500e-01, 2.968750e-01, -3.389530e+38], [1.175490e-38, -7.031250e-01, -4.687500e-01], [-3.389530e+38, 0x7FC0, 4.687500e-02], [2.500000e-01, -2.312500e+00, -6.250000e-01], [5.468750e-01, 5.937500e-01, -1.125000e+00], [-3.389530e+38, -1.140630e+00, -5.937500e-01]]]> : tensor<3x7x3xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst_1) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 2, 1, 3>, window_strides = array<i64: 1, 3, 1>}> ({
    ^bb0(%arg4: tensor<bf16>, %arg5: tensor<bf16>):
      %21 = stablehlo.multiply %arg4, %arg5 : tensor<bf16>
      stablehlo.return %21 : tensor<bf16>
    }) : (tensor<9x1x16xbf16>, tensor<bf16>) -> tensor<8x1x14xbf16>
    %1 = stablehlo.pad %0, %arg1, low = [0, 2, -2], high = [0, -1, -1], interior = [0, 1, 2] : (tensor<8x1x14xbf16>, tensor<bf16>) -> tensor<8x2x37xbf16>
    %2 = stablehlo.cosine %1 : tensor<8x2x37xbf16>
    %3 = stablehlo.real %cst : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %4 = stablehlo.real %cst : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %5 = stablehlo.abs %4 : tensor<2xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %7 = stablehlo.compare LT, %5, %6, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %9 = call @_where(%7, %4, %8) : (tensor<2xi1>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %10 = stablehlo.imag %cst : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %11 = stablehlo.abs %10 : tensor<2xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+04> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %13 = stablehlo.compare LT, %11, %12, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %15 = call @_where(%13, %10, %14) : (tensor<2xi1>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %16 = stablehlo.complex %9, %15 : tensor<2xcomplex<f64>>
    %17 = call @fft(%16) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
    %18 = stablehlo.add %17, %cst : tensor<2xcomplex<f64>>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %19:4 = stablehlo.while(%iterArg = %arg2, %iterArg_7 = %c_6, %iterArg_8 = %c, %iterArg_9 = %2) : tensor<2x2x37xbf16>, tensor<i64>, tensor<i64>, tensor<8x2x37xbf16>
    cond {
      %c_10 = stablehlo.constant dense<2> : tensor<i64>
      %21 = stablehlo.compare LT, %iterArg_7, %c_10, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %21:2 = func.call @closed_call(%iterArg, %iterArg_8, %iterArg_9) : (tensor<2x2x37xbf16>, tensor<i64>, tensor<8x2x37xbf16>) -> (tensor<i64>, tensor<8x2x37xbf16>)
      %c_10 = stablehlo.constant dense<1> : tensor<i64>
      %22 = stablehlo.add %iterArg_7, %c_10 : tensor<i64>
      stablehlo.return %iterArg, %22, %21#0, %21#1 : tensor<2x2x37xbf16>, tensor<i64>, tensor<i64>, tensor<8x2x37xbf16>
    }
    %20 = stablehlo.remainder %cst_0, %arg3 : tensor<3x7x3xbf16>
    return %1, %18, %19#3, %20 : tensor<8x2x37xbf16>, tensor<2xcomplex<f64>>, tensor<8x2x37xbf16>, tensor<3x7x3xbf16>
  }
  func.func private @_where(%arg0: tensor<2xi1>, %arg1: tensor<2xf64>, %arg2: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2xi1>, tensor<2xf64>
    return %0 : tensor<2xf64>
  }
  func.func private @fft(%arg0: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [2] : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
    return %0 : tensor<2xcomplex<f64>>
  }
  func.func private @closed_call(%arg0: tensor<2x2x37xbf16>, %arg1: tensor<i64>, %arg2: tensor<8x2x37xbf16>) -> (tensor<i64>, tensor<8x2x37xbf16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<2> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, %c_2, %c_3, sizes = [1, 2, 37] : (tensor<2x2x37xbf16>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x2x37xbf16>
    %c_4 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_4 : tensor<i64>
    %c_5 = stablehlo.constant dense<8> : tensor<i64>
    %7 = call @remainder(%6, %c_5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_7 = stablehlo.constant dense<8> : tensor<i64>
    %10 = stablehlo.add %9, %c_7 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %c_9 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11, %c_8, %c_9 : (tensor<8x2x37xbf16>, tensor<1x2x37xbf16>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8x2x37xbf16>
    return %0, %12 : tensor<i64>, tensor<8x2x37xbf16>
  }
  func.func private @remainder(%arg0: tensor<i64>, %arg1: tensor<i64>) -> tensor<i64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %1 = call @_where_0(%0, %c_0, %arg1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
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
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i64>
    return %0 : tensor<i64>
  }
}
