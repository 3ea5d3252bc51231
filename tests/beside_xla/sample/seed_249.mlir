module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1xf32>, %arg1: tensor<i1>, %arg2: tensor<5x1x2xf16>, %arg3: tensor<3x2x1xf16>, %arg4: tensor<3x1xf32>, %arg5: tensor<1x1xf32>) -> (tensor<3x1xf32> {jax.result_info = "result[0]"}, tensor<3x2x1xf32> {jax.result_info = "result[1]"}, tensor<i1> {jax.result_info = "result[2]"}, tensor<3x1xf32> {jax.result_info = "result[3]"}, tensor<3x1xf32> {jax.result_info = "result[4]"}) {
    %0 = call @cumlogsumexp(%arg0) : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %1 = stablehlo.convert %arg1 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      stablehlo.return %0 : tensor<3x1xf32>
    }, {
      %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
      %24 = stablehlo.multiply %0, %23 : tensor<3x1xf32>
      %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
      %26 = stablehlo.multiply %arg0, %25 : tensor<3x1xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.reduce(%26 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<f32>
      %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
      %29 = stablehlo.add %24, %28 : tensor<3x1xf32>
      stablehlo.return %29 : tensor<3x1xf32>
    }) : (tensor<i32>) -> tensor<3x1xf32>
    %3 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [0, b, f]x[0, o, i]->[0, f, b], window = {stride = [1], pad = [[-1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<5x1x2xf16>, tensor<3x2x1xf16>) -> tensor<3x2x1xf32>
    %4 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %6 = call @_where(%4, %5, %arg0) : (tensor<3x1xi1>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %7 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %9 = call @_where(%7, %8, %2) : (tensor<3x1xi1>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %10:2 = "stablehlo.sort"(%6, %9) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %23 = stablehlo.compare GT, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %24 = stablehlo.compare EQ, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %25 = stablehlo.compare LT, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %26 = stablehlo.and %24, %25 : tensor<i1>
      %27 = stablehlo.or %23, %26 : tensor<i1>
      stablehlo.return %27 : tensor<i1>
    }) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<3x1xf32>)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10#1 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<f32>
    %12 = stablehlo.abs %11 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.compare EQ, %12, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = stablehlo.maximum %10#0, %arg4 : tensor<3x1xf32>
    %15 = stablehlo.compare NE, %14, %14, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %17 = call @_where(%15, %16, %14) : (tensor<3x1xi1>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %18 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %20 = call @_where(%18, %19, %0) : (tensor<3x1xi1>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
    %21:2 = "stablehlo.sort"(%17, %20) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %23 = stablehlo.compare GT, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %24 = stablehlo.compare EQ, %arg6, %arg7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %25 = stablehlo.compare LT, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %26 = stablehlo.and %24, %25 : tensor<i1>
      %27 = stablehlo.or %23, %26 : tensor<i1>
      stablehlo.return %27 : tensor<i1>
    }) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<3x1xf32>)
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %22:4 = stablehlo.while(%iterArg = %arg5, %iterArg_6 = %c_5, %iterArg_7 = %c, %iterArg_8 = %21#1) : tensor<1x1xf32>, tensor<i64>, tensor<i64>, tensor<3x1xf32>
    cond {
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %23 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %23:2 = func.call @closed_call(%iterArg, %iterArg_7, %iterArg_8) : (tensor<1x1xf32>, tensor<i64>, tensor<3x1xf32>) -> (tensor<i64>, tensor<3x1xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %24 = stablehlo.add %iterArg_6, %c_9 : tensor<i64>
      stablehlo.return %iterArg, %24, %23#0, %23#1 : tensor<1x1xf32>, tensor<i64>, tensor<i64>, tensor<3x1xf32>
    }
    return %arg0, %3, %13, %21#0, %22#3 : tensor<3x1xf32>, tensor<3x2x1xf32>, tensor<i1>, tensor<3x1xf32>, tensor<3x1xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<3x1xf32>) -> tensor<3x1xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
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
    }) : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
    return %0 : tensor<3x1xf32>
  }
  func.func private @_where(%arg0: tensor<3x1xi1>, %arg1: tensor<3x1xf32>, %arg2: tensor<3x1xf32>) -> tensor<3x1xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x1xi1>, tensor<3x1xf32>
    return %0 : tensor<3x1xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x1xf32>, %arg1: tensor<i64>, %arg2: tensor<3x1xf32>) -> (tensor<i64>, tensor<3x1xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i64>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %5 = stablehlo.dynamic_slice %arg0, %4, %c_2, sizes = [1, 1] : (tensor<1x1xf32>, tensor<i64>, tensor<i64>) -> tensor<1x1xf32>
    %c_3 = stablehlo.constant dense<2> : tensor<i64>
    %6 = stablehlo.multiply %arg1, %c_3 : tensor<i64>
    %c_4 = stablehlo.constant dense<3> : tensor<i64>
    %7 = call @remainder(%6, %c_4) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %c_5 = stablehlo.constant dense<0> : tensor<i64>
    %8 = stablehlo.compare LT, %7, %c_5, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %9 = stablehlo.convert %7 : tensor<i64>
    %c_6 = stablehlo.constant dense<3> : tensor<i64>
    %10 = stablehlo.add %9, %c_6 : tensor<i64>
    %11 = stablehlo.select %8, %10, %7 : tensor<i1>, tensor<i64>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %12 = stablehlo.dynamic_update_slice %arg2, %5, %11, %c_7 : (tensor<3x1xf32>, tensor<1x1xf32>, tensor<i64>, tensor<i64>) -> tensor<3x1xf32>
    return %0, %12 : tensor<i64>, tensor<3x1xf32>
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
