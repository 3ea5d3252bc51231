module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<7x2x6xcomplex<f32>>) -> (tensor<2x6xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<7xf32> {jax.result_info = "result[2]"}, tensor<7xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<[5.937500e-01, -1.500000e+00, -6.875000e-01, 3.750000e-01, 2.156250e+00, 5.468750e-01, -6.718750e-01]> : tensor<7xf32>
    %0 = stablehlo.complex %arg0, %arg1 : tensor<7xcomplex<f32>>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7xcomplex<f32>>, tensor<7x2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
    %2 = stablehlo.reverse %1, dims = [0, 1] : tensor<2x6xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %3:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg0) : tensor<i64>, tensor<i64>, tensor<7xf32>, tensor<7xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i64>
      %5 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i64>, tensor<7xf32>, tensor<7xf32>) -> (tensor<i64>, tensor<7xf32>, tensor<7xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %6 = stablehlo.add %iterArg, %c_4 : tensor<i64>
      stablehlo.return %6, %5#0, %5#1, %5#2 : tensor<i64>, tensor<i64>, tensor<7xf32>, tensor<7xf32>
    }
    %4 = stablehlo.rsqrt %cst : tensor<7xf32>
    return %2, %3#2, %3#3, %4 : tensor<2x6xcomplex<f32>>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> (tensor<i64>, tensor<7xf32>, tensor<7xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg0, %c : tensor<i64>
    return %0, %arg2, %arg1 : tensor<i64>, tensor<7xf32>, tensor<7xf32>
  }
}
