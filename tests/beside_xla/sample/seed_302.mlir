module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<17xf16>, %arg2: tensor<17xf16>, %arg3: tensor<17xf16>, %arg4: tensor<4xf32>, %arg5: tensor<5xi32>) -> (tensor<17xf16> {jax.result_info = "result[0]"}, tensor<17xf16> {jax.result_info = "result[1]"}, tensor<3xi32> {jax.result_info = "result[2]"}, tensor<4xf32> {jax.result_info = "result[3]"}, tensor<13xi32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[-5, 8, 2]> : tensor<3xi32>
    %c_0 = stablehlo.constant dense<[[1], [0], [0]]> : tensor<3x1xi32>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4xi32>
    %1 = stablehlo.multiply %0, %0 : tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %2:4 = stablehlo.while(%iterArg = %c_2, %iterArg_3 = %c_1, %iterArg_4 = %arg1, %iterArg_5 = %arg2) : tensor<i64>, tensor<i64>, tensor<17xf16>, tensor<17xf16>
    cond {
      %c_6 = stablehlo.constant dense<4> : tensor<i64>
      %11 = stablehlo.compare LT, %iterArg, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11:3 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5) : (tensor<i64>, tensor<17xf16>, tensor<17xf16>) -> (tensor<i64>, tensor<17xf16>, tensor<17xf16>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %12 = stablehlo.add %iterArg, %c_6 : tensor<i64>
      stablehlo.return %12, %11#0, %11#1, %11#2 : tensor<i64>, tensor<i64>, tensor<17xf16>, tensor<17xf16>
    }
    %3 = stablehlo.multiply %arg2, %arg3 : tensor<17xf16>
    %4 = "stablehlo.gather"(%c, %c_0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %5 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %7 = call @_where(%5, %6, %arg4) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8:2 = "stablehlo.sort"(%1, %7) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %11 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
    %9 = stablehlo.shift_right_logical %8#0, %1 : tensor<4xi32>
    %10 = stablehlo.concatenate %arg5, %9, %9, dim = 0 : (tensor<5xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<13xi32>
    return %2#3, %3, %4, %8#1, %10 : tensor<17xf16>, tensor<17xf16>, tensor<3xi32>, tensor<4xf32>, tensor<13xi32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<17xf16>, %arg2: tensor<17xf16>) -> (tensor<i64>, tensor<17xf16>, tensor<17xf16>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<17xf16>
    %2 = stablehlo.multiply %arg2, %1 : tensor<17xf16>
    return %0, %2, %arg1 : tensor<i64>, tensor<17xf16>, tensor<17xf16>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
