module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x7x3xi32>, %arg1: tensor<4x5x3x1xf16>, %arg2: tensor<1xf16>, %arg3: tensor<3xf32>) -> (tensor<1x1x7x3xf16> {jax.result_info = "result[0]"}, tensor<3x4x2x0xf16> {jax.result_info = "result[1]"}, tensor<3xf16> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[1.500000e+00, -1.031250e+00, 1.562500e-02], [-9.375000e-02, -1.718750e-01, 1.734380e+00], [1.515630e+00, 1.093750e-01, -0.000000e+00], [-2.500000e+00, 1.250000e+00, -1.093750e-01], [-1.015630e+00, 9.687500e-01, -3.437500e-01]]> : tensor<5x3xf16>
    %cst_0 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<5x3xf16>, tensor<f16>) -> tensor<3xf16>
    %cst_1 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<3xf16>
    %2 = stablehlo.maximum %1, %0 : tensor<3xf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<3xf16>) -> tensor<1x3xf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x3xf16>) -> tensor<5x3xf16>
    %5 = stablehlo.subtract %cst, %4 : tensor<5x3xf16>
    %6 = stablehlo.exponential %5 : tensor<5x3xf16>
    %7 = stablehlo.convert %6 : (tensor<5x3xf16>) -> tensor<5x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %10 = stablehlo.convert %9 : (tensor<1x3xf32>) -> tensor<1x3xf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x3xf16>) -> tensor<5x3xf16>
    %12 = stablehlo.divide %6, %11 : tensor<5x3xf16>
    %cst_3 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.maximum across dimensions = [0] : (tensor<5x3xf16>, tensor<f16>) -> tensor<3xf16>
    %cst_4 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<3xf16>
    %15 = stablehlo.maximum %14, %13 : tensor<3xf16>
    %16 = stablehlo.is_finite %15 : (tensor<3xf16>) -> tensor<3xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<3xf16>
    %18 = stablehlo.select %16, %15, %17 : tensor<3xi1>, tensor<3xf16>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<3xf16>) -> tensor<1x3xf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x3xf16>) -> tensor<5x3xf16>
    %21 = stablehlo.subtract %12, %20 : tensor<5x3xf16>
    %22 = stablehlo.exponential %21 : tensor<5x3xf16>
    %23 = stablehlo.convert %22 : (tensor<5x3xf16>) -> tensor<5x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
    %25 = stablehlo.convert %24 : (tensor<3xf32>) -> tensor<3xf16>
    %26 = stablehlo.sign %25 : tensor<3xf16>
    %27 = stablehlo.abs %25 : tensor<3xf16>
    %28 = stablehlo.log %27 : tensor<3xf16>
    %29 = stablehlo.add %28, %18 : tensor<3xf16>
    %30 = stablehlo.convert %29 : (tensor<3xf16>) -> tensor<3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_8 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<1xf32>
    %35 = stablehlo.convert %34 : (tensor<1xf32>) -> tensor<1xf16>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<1xf16>) -> tensor<3xf16>
    %37 = stablehlo.subtract %29, %36 : tensor<3xf16>
    %38 = chlo.square %37 : tensor<3xf16> -> tensor<3xf16>
    %39 = stablehlo.convert %38 : (tensor<3xf16>) -> tensor<3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_10 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %43 = stablehlo.divide %41, %42 : tensor<1xf32>
    %44 = stablehlo.convert %43 : (tensor<1xf32>) -> tensor<1xf16>
    %45 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<1xf16>) -> tensor<3xf16>
    %46 = stablehlo.subtract %29, %45 : tensor<3xf16>
    %cst_11 = stablehlo.constant dense<1.000400e-03> : tensor<f16>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f16>) -> tensor<1xf16>
    %48 = stablehlo.add %44, %47 : tensor<1xf16>
    %49 = stablehlo.rsqrt %48 : tensor<1xf16>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<1xf16>) -> tensor<3xf16>
    %51 = stablehlo.multiply %46, %50 : tensor<3xf16>
    %52 = stablehlo.convert %arg0 : (tensor<1x1x7x3xi32>) -> tensor<1x1x7x3xf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f16>) -> tensor<f16>
    %54 = "stablehlo.reduce_window"(%arg1, %53) <{base_dilations = array<i64: 2, 1, 2, 1>, padding = dense<[[0, 0], [1, 0], [0, 0], [1, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 2>, window_dimensions = array<i64: 3, 3, 2, 2>, window_strides = array<i64: 2, 1, 2, 1>}> ({
    ^bb0(%arg4: tensor<f16>, %arg5: tensor<f16>):
      %57 = stablehlo.add %arg4, %arg5 : tensor<f16>
      stablehlo.return %57 : tensor<f16>
    }) : (tensor<4x5x3x1xf16>, tensor<f16>) -> tensor<3x4x2x0xf16>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_13 = stablehlo.constant dense<0> : tensor<i64>
    %55:4 = stablehlo.while(%iterArg = %arg2, %iterArg_14 = %c_13, %iterArg_15 = %c, %iterArg_16 = %51) : tensor<1xf16>, tensor<i64>, tensor<i64>, tensor<3xf16>
    cond {
      %c_17 = stablehlo.constant dense<1> : tensor<i64>
      %57 = stablehlo.compare LT, %iterArg_14, %c_17, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %57 : tensor<i1>
    } do {
      %57:2 = func.call @closed_call(%iterArg, %iterArg_15, %iterArg_16) : (tensor<1xf16>, tensor<i64>, tensor<3xf16>) -> (tensor<i64>, tensor<3xf16>)
      %c_17 = stablehlo.constant dense<1> : tensor<i64>
      %58 = stablehlo.add %iterArg_14, %c_17 : tensor<i64>
      stablehlo.return %iterArg, %58, %57#0, %57#1 : tensor<1xf16>, tensor<i64>, tensor<i64>, tensor<3xf16>
    }
    %56:3 = "stablehlo.sort"(%55#3, %arg3, %arg3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f16>, %arg5: tensor<f16>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %57 = stablehlo.compare EQ, %arg4, %cst_14, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %58 = stablehlo.select %57, %cst_15, %arg4 : tensor<i1>, tensor<f16>
      %59 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_16 = stablehlo.constant dense<0x7E00> : tensor<f16>
      %60 = stablehlo.select %59, %cst_16, %58 : tensor<i1>, tensor<f16>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %61 = stablehlo.compare EQ, %arg5, %cst_17, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %62 = stablehlo.select %61, %cst_18, %arg5 : tensor<i1>, tensor<f16>
      %63 = stablehlo.compare NE, %arg5, %arg5, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_19 = stablehlo.constant dense<0x7E00> : tensor<f16>
      %64 = stablehlo.select %63, %cst_19, %62 : tensor<i1>, tensor<f16>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %65 = stablehlo.compare EQ, %arg6, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %66 = stablehlo.select %65, %cst_21, %arg6 : tensor<i1>, tensor<f32>
      %67 = stablehlo.compare NE, %arg6, %arg6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_22 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %68 = stablehlo.select %67, %cst_22, %66 : tensor<i1>, tensor<f32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %69 = stablehlo.compare EQ, %arg7, %cst_23, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %70 = stablehlo.select %69, %cst_24, %arg7 : tensor<i1>, tensor<f32>
      %71 = stablehlo.compare NE, %arg7, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_25 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %72 = stablehlo.select %71, %cst_25, %70 : tensor<i1>, tensor<f32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %73 = stablehlo.compare EQ, %arg8, %cst_26, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %74 = stablehlo.select %73, %cst_27, %arg8 : tensor<i1>, tensor<f32>
      %75 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_28 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %76 = stablehlo.select %75, %cst_28, %74 : tensor<i1>, tensor<f32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %77 = stablehlo.compare EQ, %arg9, %cst_29, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %78 = stablehlo.select %77, %cst_30, %arg9 : tensor<i1>, tensor<f32>
      %79 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_31 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %80 = stablehlo.select %79, %cst_31, %78 : tensor<i1>, tensor<f32>
      %81 = stablehlo.compare LT, %76, %80, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %82 = stablehlo.compare LT, %68, %72, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %83 = stablehlo.compare EQ, %68, %72, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %84 = stablehlo.and %83, %81 : tensor<i1>
      %85 = stablehlo.or %82, %84 : tensor<i1>
      %86 = stablehlo.compare LT, %60, %64, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %87 = stablehlo.compare EQ, %60, %64, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %88 = stablehlo.and %87, %85 : tensor<i1>
      %89 = stablehlo.or %86, %88 : tensor<i1>
      stablehlo.return %89 : tensor<i1>
    }) : (tensor<3xf16>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf16>, tensor<3xf32>, tensor<3xf32>)
    return %52, %54, %56#0, %56#1, %56#2 : tensor<1x1x7x3xf16>, tensor<3x4x2x0xf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<1xf16>, %arg1: tensor<i64>, %arg2: tensor<3xf16>) -> (tensor<i64>, tensor<3xf16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<1xf16>, tensor<i64>) -> tensor<1xf16>
    %c_2 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_2 : tensor<i64>
    %c_3 = stablehlo.constant dense<3> : tensor<i64>
    %7 = call @remainder(%6, %c_3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_5 = stablehlo.constant dense<3> : tensor<i64>
    %10 = stablehlo.add %9, %c_5 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11 : (tensor<3xf16>, tensor<1xf16>, tensor<i64>) -> tensor<3xf16>
    return %0, %12 : tensor<i64>, tensor<3xf16>
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
