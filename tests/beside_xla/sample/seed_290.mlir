module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x47xcomplex<f32>>, %arg1: tensor<40xcomplex<f32>>, %arg2: tensor<2x1x3xf32>, %arg3: tensor<7x9x3xf32>, %arg4: tensor<i32>, %arg5: tensor<7x7x2xi32>, %arg6: tensor<3x9xf32>) -> (tensor<2x1x3xi1> {jax.result_info = "result[0]"}, tensor<47xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<7x9x2xf32> {jax.result_info = "result[2]"}, tensor<7x7x2xi32> {jax.result_info = "result[3]"}, tensor<3x9xf32> {jax.result_info = "result[4]"}, tensor<7x7x2xi32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
    %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<complex<f32>>, %arg8: tensor<complex<f32>>):
      %16 = stablehlo.subtract %arg7, %arg8 : tensor<complex<f32>>
      stablehlo.return %16 : tensor<complex<f32>>
    }) : (tensor<1x3x47xcomplex<f32>>, tensor<2xi8>, tensor<40xcomplex<f32>>) -> tensor<1x3x47xcomplex<f32>>
    %1 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xi1>
    %2 = stablehlo.real %0 : (tensor<1x3x47xcomplex<f32>>) -> tensor<1x3x47xf32>
    %3 = stablehlo.abs %2 : tensor<1x3x47xf32>
    %cst = stablehlo.constant dense<0.699999988> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x3x47xf32>
    %5 = stablehlo.compare LT, %3, %4, FLOAT : (tensor<1x3x47xf32>, tensor<1x3x47xf32>) -> tensor<1x3x47xi1>
    %6 = stablehlo.imag %0 : (tensor<1x3x47xcomplex<f32>>) -> tensor<1x3x47xf32>
    %7 = stablehlo.abs %6 : tensor<1x3x47xf32>
    %cst_0 = stablehlo.constant dense<0.699999988> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x3x47xf32>
    %9 = stablehlo.compare LT, %7, %8, FLOAT : (tensor<1x3x47xf32>, tensor<1x3x47xf32>) -> tensor<1x3x47xi1>
    %10 = stablehlo.and %5, %9 : tensor<1x3x47xi1>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = call @_where(%10, %0, %cst_1) : (tensor<1x3x47xi1>, tensor<1x3x47xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1x3x47xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<1x3x47xcomplex<f32>>, tensor<complex<f32>>) -> tensor<47xcomplex<f32>>
    %values, %indices = chlo.top_k(%arg3, k = 2) : tensor<7x9x3xf32> -> (tensor<7x9x2xf32>, tensor<7x9x2xi32>)
    %13 = stablehlo.pad %indices, %arg4, low = [0, -2, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<7x9x2xi32>, tensor<i32>) -> tensor<7x7x2xi32>
    %14 = stablehlo.minimum %13, %arg5 : tensor<7x7x2xi32>
    %15 = stablehlo.and %arg5, %14 : tensor<7x7x2xi32>
    return %1, %12, %values, %15, %arg6, %14 : tensor<2x1x3xi1>, tensor<47xcomplex<f32>>, tensor<7x9x2xf32>, tensor<7x7x2xi32>, tensor<3x9xf32>, tensor<7x7x2xi32>
  }
  func.func private @_where(%arg0: tensor<1x3x47xi1>, %arg1: tensor<1x3x47xcomplex<f32>>, %arg2: tensor<complex<f32>>) -> tensor<1x3x47xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<complex<f32>>) -> tensor<1x3x47xcomplex<f32>>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x3x47xi1>, tensor<1x3x47xcomplex<f32>>
    return %1 : tensor<1x3x47xcomplex<f32>>
  }
}
