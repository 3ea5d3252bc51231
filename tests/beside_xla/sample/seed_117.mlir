module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<1xi32>, %arg3: tensor<16x7xcomplex<f64>>) -> (tensor<16x7xf64> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<7xf32>
    %cst = stablehlo.constant dense<5.312500e-01> : tensor<f32>
    %1 = "stablehlo.scatter"(%arg0, %arg2, %cst) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<7xf32>, tensor<1xi32>, tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.real %arg3 : (tensor<16x7xcomplex<f64>>) -> tensor<16x7xf64>
    %3 = stablehlo.exponential_minus_one %2 : tensor<16x7xf64>
    %4 = stablehlo.reduce_precision %3, format = e8m6 : tensor<16x7xf64>
    %5 = stablehlo.cosine %0 : tensor<7xf32>
    %6 = stablehlo.exponential %5 : tensor<7xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7:2 = stablehlo.reduce(%0 init: %cst_0), (%1 init: %cst_1) across dimensions = [0] : (tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<f32>, %arg7: tensor<f32>)  {
      %9 = stablehlo.abs %arg4 : tensor<f32>
      %10 = stablehlo.abs %arg6 : tensor<f32>
      %11 = stablehlo.compare GE, %9, %10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = stablehlo.select %11, %arg4, %arg6 : tensor<i1>, tensor<f32>
      %13 = stablehlo.select %11, %arg5, %arg7 : tensor<i1>, tensor<f32>
      stablehlo.return %12, %13 : tensor<f32>, tensor<f32>
    }
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    return %4, %6, %7#0, %7#1, %8 : tensor<16x7xf64>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
}
