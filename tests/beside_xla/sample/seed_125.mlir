module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<i32>, %arg2: tensor<16x3xf32>, %arg3: tensor<16x3x4xf32>, %arg4: tensor<16x3x4xf32>) -> (tensor<1xf32> {jax.result_info = "result[0]"}, tensor<1xf32> {jax.result_info = "result[1]"}, tensor<16x3xf32> {jax.result_info = "result[2]"}, tensor<16x3xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<1xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.reduce_precision %arg0, format = e6m3 : tensor<1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.clamp %c, %arg1, %c_0 : tensor<i32>
    %2:2 = "stablehlo.case"(%1) ({
      stablehlo.return %0, %arg0 : tensor<1xf32>, tensor<1xf32>
    }, {
      stablehlo.return %arg0, %0 : tensor<1xf32>, tensor<1xf32>
    }, {
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %16 = stablehlo.multiply %0, %15 : tensor<1xf32>
      %17 = stablehlo.add %16, %arg0 : tensor<1xf32>
      stablehlo.return %arg0, %17 : tensor<1xf32>, tensor<1xf32>
    }) : (tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>)
    %3 = stablehlo.complex %arg3, %arg4 : tensor<16x3x4xcomplex<f32>>
    %4 = stablehlo.real %3 : (tensor<16x3x4xcomplex<f32>>) -> tensor<16x3x4xf32>
    %5 = stablehlo.abs %4 : tensor<16x3x4xf32>
    %cst = stablehlo.constant dense<0.699999988> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x3x4xf32>
    %7 = stablehlo.compare LT, %5, %6, FLOAT : (tensor<16x3x4xf32>, tensor<16x3x4xf32>) -> tensor<16x3x4xi1>
    %8 = stablehlo.imag %3 : (tensor<16x3x4xcomplex<f32>>) -> tensor<16x3x4xf32>
    %9 = stablehlo.abs %8 : tensor<16x3x4xf32>
    %cst_1 = stablehlo.constant dense<0.699999988> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x3x4xf32>
    %11 = stablehlo.compare LT, %9, %10, FLOAT : (tensor<16x3x4xf32>, tensor<16x3x4xf32>) -> tensor<16x3x4xi1>
    %12 = stablehlo.and %7, %11 : tensor<16x3x4xi1>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %13 = call @_where(%12, %3, %cst_2) : (tensor<16x3x4xi1>, tensor<16x3x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<16x3x4xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.multiply across dimensions = [2] : (tensor<16x3x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<16x3xcomplex<f32>>
    return %2#0, %2#1, %arg2, %14, %0 : tensor<1xf32>, tensor<1xf32>, tensor<16x3xf32>, tensor<16x3xcomplex<f32>>, tensor<1xf32>
  }
  func.func private @_where(%arg0: tensor<16x3x4xi1>, %arg1: tensor<16x3x4xcomplex<f32>>, %arg2: tensor<complex<f32>>) -> tensor<16x3x4xcomplex<f32>> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<complex<f32>>) -> tensor<16x3x4xcomplex<f32>>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<16x3x4xi1>, tensor<16x3x4xcomplex<f32>>
    return %1 : tensor<16x3x4xcomplex<f32>>
  }
}
