module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x1x1x3xf32>, %arg1: tensor<2x1x3x3x1xf32>, %arg2: tensor<3x1x0x0x1xf32>, %arg3: tensor<3x16x9xf32>, %arg4: tensor<3x16x9xf32>, %arg5: tensor<3x16x9xf32>) -> (tensor<3x1x0x0x1xf32> {jax.result_info = "result[0]"}, tensor<3x16x9xf32> {jax.result_info = "result[1]"}, tensor<3x16x9xf32> {jax.result_info = "result[2]"}, tensor<3x16x9xf32> {jax.result_info = "result[3]"}, tensor<1x2x5xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<4> : tensor<1xui32>
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [1, 0, 2, b, f]x[2, o, 0, i, 1]->[1, b, 2, 0, f], window = {stride = [1, 1, 1], pad = [[2, -1], [3, -1], [0, 0]], lhs_dilate = [2, 1, 1], rhs_dilate = [2, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x1x3xf32>, tensor<2x1x3x3x1xf32>) -> tensor<3x1x0x0x1xf32>
    %1 = stablehlo.power %0, %arg2 : tensor<3x1x0x0x1xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %2:4 = stablehlo.while(%iterArg = %c_1, %iterArg_6 = %c_0, %iterArg_7 = %arg3, %iterArg_8 = %arg4) : tensor<i64>, tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>
    cond {
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %16 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %16:3 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_8) : (tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>) -> (tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %17 = stablehlo.add %iterArg, %c_9 : tensor<i64>
      stablehlo.return %17, %16#0, %16#1, %16#2 : tensor<i64>, tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>
    }
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = "stablehlo.case"(%c_2) ({
      stablehlo.return %arg5 : tensor<3x16x9xf32>
    }, {
      %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x16x9xf32>
      %17 = stablehlo.multiply %arg5, %16 : tensor<3x16x9xf32>
      stablehlo.return %17 : tensor<3x16x9xf32>
    }) : (tensor<i32>) -> tensor<3x16x9xf32>
    %c_3 = stablehlo.constant dense<14> : tensor<1xi32>
    %4 = stablehlo.convert %c : (tensor<1xui32>) -> tensor<1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.compare LE, %4, %c_3, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %8 = stablehlo.and %6, %7 : tensor<1xi1>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_5) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.gather"(%2#3, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 5>}> : (tensor<3x16x9xf32>, tensor<1xi32>) -> tensor<1x2x5xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<1x2x5xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x5xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<1x2x5xi1>, tensor<1x2x5xf32>
    %14 = stablehlo.iota dim = 2 : tensor<1x2x5xf32>
    %15 = stablehlo.add %13, %14 : tensor<1x2x5xf32>
    return %1, %2#2, %3, %2#3, %15 : tensor<3x1x0x0x1xf32>, tensor<3x16x9xf32>, tensor<3x16x9xf32>, tensor<3x16x9xf32>, tensor<1x2x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<3x16x9xf32>, %arg2: tensor<3x16x9xf32>) -> (tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    return %0, %arg2, %arg1 : tensor<i64>, tensor<3x16x9xf32>, tensor<3x16x9xf32>
  }
}
