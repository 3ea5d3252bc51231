module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf64>, %arg1: tensor<17xf64>, %arg2: tensor<i32>, %arg3: tensor<17xf64>, %arg4: tensor<17xf64>, %arg5: tensor<f32>) -> (tensor<17xi1> {jax.result_info = "result[0]"}, tensor<17xf64> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<17xf64> {jax.result_info = "result[3]"}, tensor<17xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[23.309311802679368, -20.273701334347404, 93.89677365167644, 39.11627834742437, -56.199578804127029, 184.7437265659419, 29.90719299351532, -148.63582400027161, -54.83465133427957, 111.47441316982265, 118.33114786439498, -117.28081224837959, 49.728667602197156, 41.436742838690982, 15.119025659774591, 41.116590514149266, 85.292923977529838]> : tensor<17xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_4 = %c, %iterArg_5 = %arg0, %iterArg_6 = %cst) : tensor<i64>, tensor<i64>, tensor<17xf64>, tensor<17xf64>
    cond {
      %c_7 = stablehlo.constant dense<3> : tensor<i64>
      %9 = stablehlo.compare LT, %iterArg, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9:3 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6) : (tensor<i64>, tensor<17xf64>, tensor<17xf64>) -> (tensor<i64>, tensor<17xf64>, tensor<17xf64>)
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %10 = stablehlo.add %iterArg, %c_7 : tensor<i64>
      stablehlo.return %10, %9#0, %9#1, %9#2 : tensor<i64>, tensor<i64>, tensor<17xf64>, tensor<17xf64>
    }
    %1 = stablehlo.divide %0#3, %arg1 : tensor<17xf64>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.clamp %c_1, %arg2, %c_2 : tensor<i32>
    %3:2 = "stablehlo.case"(%2) ({
      stablehlo.return %cst, %arg3 : tensor<17xf64>, tensor<17xf64>
    }, {
      stablehlo.return %arg3, %cst : tensor<17xf64>, tensor<17xf64>
    }, {
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<17xf64>
      %10 = stablehlo.multiply %cst, %9 : tensor<17xf64>
      %11 = stablehlo.add %10, %arg3 : tensor<17xf64>
      stablehlo.return %arg3, %11 : tensor<17xf64>, tensor<17xf64>
    }) : (tensor<i32>) -> (tensor<17xf64>, tensor<17xf64>)
    %4 = stablehlo.log_plus_one %arg3 : tensor<17xf64>
    %5 = stablehlo.compare EQ, %4, %0#2, FLOAT : (tensor<17xf64>, tensor<17xf64>) -> tensor<17xi1>
    %6 = stablehlo.minimum %3#0, %1 : tensor<17xf64>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = stablehlo.while(%iterArg = %arg5, %iterArg_4 = %c_3, %iterArg_5 = %3#0, %iterArg_6 = %arg4) : tensor<f32>, tensor<i32>, tensor<17xf64>, tensor<17xf64>
    cond {
      %9 = stablehlo.slice %iterArg_5 [0:1] : (tensor<17xf64>) -> tensor<1xf64>
      %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
      %c_7 = stablehlo.constant dense<4> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %12 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<f64>
      %13 = stablehlo.compare LT, %10, %12, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.and %11, %13 : tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<17xf64>
      %11 = stablehlo.multiply %iterArg_5, %10 : tensor<17xf64>
      %12 = stablehlo.add %11, %iterArg_6 : tensor<17xf64>
      stablehlo.return %iterArg, %9, %iterArg_6, %12 : tensor<f32>, tensor<i32>, tensor<17xf64>, tensor<17xf64>
    }
    %8 = stablehlo.log_plus_one %7#3 : tensor<17xf64>
    return %5, %6, %7#1, %7#2, %8 : tensor<17xi1>, tensor<17xf64>, tensor<i32>, tensor<17xf64>, tensor<17xf64>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<17xf64>, %arg2: tensor<17xf64>) -> (tensor<i64>, tensor<17xf64>, tensor<17xf64>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %2 = stablehlo.multiply %arg1, %1 : tensor<17xf64>
    %3 = stablehlo.add %2, %arg2 : tensor<17xf64>
    return %0, %arg2, %3 : tensor<i64>, tensor<17xf64>, tensor<17xf64>
  }
}
