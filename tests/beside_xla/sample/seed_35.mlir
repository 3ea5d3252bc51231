module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xcomplex<f64>>, %arg1: tensor<7xcomplex<f64>>, %arg2: tensor<3x16x1xcomplex<f64>>, %arg3: tensor<5xf32>, %arg4: tensor<5xi32>, %arg5: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<1x4x1xcomplex<f64>> {jax.result_info = "result[3]"}, tensor<7xcomplex<f64>> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[3.593750e-01, 1.437500e+00, -2.031250e-01, -3.328125, 2.359375]> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<[[[(1.109375,1.125000e+00)], [(1.718750e-01,9.531250e-01)], [(1.390625,4.062500e-01)], [(6.250000e-02,-6.250000e-02)], [(5.937500e-01,2.343750e-01)], [(1.046875,7.187500e-01)], [(-1.078125,-1.250000e-01)], [(5.937500e-01,1.250000e-01)], [(4.531250e-01,3.281250e-01)], [(1.140625,1.921875)], [(-4.687500e-01,-1.656250e+00)], [(5.000000e-01,1.750000e+00)], [(-7.187500e-01,2.500000e-01)], [(-1.562500e-02,2.500000e-01)], [(-1.468750e+00,5.156250e-01)], [(1.875000e-01,4.843750e-01)]], [[(3.281250e-01,5.156250e-01)], [(-5.937500e-01,-2.296875)], [(5.937500e-01,-3.593750e-01)], [(-1.968750e+00,7.812500e-02)], [(-2.031250e-01,-9.687500e-01)], [(-1.562500e+00,2.656250e-01)], [(1.828125,4.687500e-01)], [(6.093750e-01,-6.562500e-01)], [(-2.968750e-01,-3.281250e-01)], [(0.000000e+00,5.312500e-01)], [(-1.406250e-01,-9.375000e-01)], [(1.171875,-5.781250e-01)], [(-1.031250e+00,-4.687500e-01)], [(1.015625,-4.062500e-01)], [(-1.796875,3.125000e-02)], [(-4.531250e-01,-6.875000e-01)]]]> : tensor<2x16x1xcomplex<f64>>
    %0 = stablehlo.add %arg0, %arg1 : tensor<7xcomplex<f64>>
    %1 = stablehlo.compare NE, %cst, %cst, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = call @_where(%1, %2, %cst) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %4 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %6 = call @_where(%4, %5, %arg3) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %7:3 = "stablehlo.sort"(%3, %6, %arg4) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %33 = stablehlo.abs %arg6 : tensor<f32>
      %34 = stablehlo.abs %arg7 : tensor<f32>
      %35 = stablehlo.compare LT, %33, %34, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %35 : tensor<i1>
    }) : (tensor<5xf32>, tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xi32>)
    %8 = call @cumlogsumexp(%7#1) : (tensor<5xf32>) -> tensor<5xf32>
    %9 = stablehlo.real %arg2 : (tensor<3x16x1xcomplex<f64>>) -> tensor<3x16x1xf64>
    %10 = stablehlo.imag %arg2 : (tensor<3x16x1xcomplex<f64>>) -> tensor<3x16x1xf64>
    %11 = stablehlo.real %cst_0 : (tensor<2x16x1xcomplex<f64>>) -> tensor<2x16x1xf64>
    %12 = stablehlo.imag %cst_0 : (tensor<2x16x1xcomplex<f64>>) -> tensor<2x16x1xf64>
    %13 = stablehlo.add %9, %10 : tensor<3x16x1xf64>
    %14 = stablehlo.convolution(%13, %11) dim_numbers = [0, f, b]x[0, i, o]->[f, 0, b], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x1xf64>, tensor<2x16x1xf64>) -> tensor<1x4x1xf64>
    %15 = stablehlo.subtract %12, %11 : tensor<2x16x1xf64>
    %16 = stablehlo.convolution(%9, %15) dim_numbers = [0, f, b]x[0, i, o]->[f, 0, b], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x1xf64>, tensor<2x16x1xf64>) -> tensor<1x4x1xf64>
    %17 = stablehlo.add %11, %12 : tensor<2x16x1xf64>
    %18 = stablehlo.convolution(%10, %17) dim_numbers = [0, f, b]x[0, i, o]->[f, 0, b], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x1xf64>, tensor<2x16x1xf64>) -> tensor<1x4x1xf64>
    %19 = stablehlo.subtract %14, %18 : tensor<1x4x1xf64>
    %20 = stablehlo.add %14, %16 : tensor<1x4x1xf64>
    %21 = stablehlo.complex %19, %20 : tensor<1x4x1xcomplex<f64>>
    %22 = stablehlo.compare NE, %8, %8, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %24 = call @_where(%22, %23, %8) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %25 = stablehlo.compare NE, %arg5, %arg5, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %27 = call @_where(%25, %26, %arg5) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %28:2 = "stablehlo.sort"(%24, %27) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %33 = stablehlo.compare GT, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %34 = stablehlo.compare EQ, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %35 = stablehlo.compare LT, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %36 = stablehlo.and %34, %35 : tensor<i1>
      %37 = stablehlo.or %33, %36 : tensor<i1>
      stablehlo.return %37 : tensor<i1>
    }) : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %29:4 = stablehlo.while(%iterArg = %c_5, %iterArg_6 = %c, %iterArg_7 = %28#1, %iterArg_8 = %arg5) : tensor<i64>, tensor<i64>, tensor<5xf32>, tensor<5xf32>
    cond {
      %c_9 = stablehlo.constant dense<4> : tensor<i64>
      %33 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %33 : tensor<i1>
    } do {
      %33:3 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_8) : (tensor<i64>, tensor<5xf32>, tensor<5xf32>) -> (tensor<i64>, tensor<5xf32>, tensor<5xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %34 = stablehlo.add %iterArg, %c_9 : tensor<i64>
      stablehlo.return %34, %33#0, %33#1, %33#2 : tensor<i64>, tensor<i64>, tensor<5xf32>, tensor<5xf32>
    }
    %30 = stablehlo.reverse %21, dims = [0, 2] : tensor<1x4x1xcomplex<f64>>
    %31 = stablehlo.real %0 : (tensor<7xcomplex<f64>>) -> tensor<7xf64>
    %32 = stablehlo.convert %31 : (tensor<7xf64>) -> tensor<7xcomplex<f64>>
    return %28#0, %29#2, %29#3, %30, %32 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<1x4x1xcomplex<f64>>, tensor<7xcomplex<f64>>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[0, 4]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>) -> (tensor<i64>, tensor<5xf32>, tensor<5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %1 = stablehlo.reverse %arg2, dims = [0] : tensor<5xf32>
    return %0, %1, %arg1 : tensor<i64>, tensor<5xf32>, tensor<5xf32>
  }
}
