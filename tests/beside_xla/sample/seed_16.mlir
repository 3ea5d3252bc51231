module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x17xf16>, %arg1: tensor<7x17xf16>, %arg2: tensor<7x17xf16>, %arg3: tensor<i1>, %arg4: tensor<1xf64>, %arg5: tensor<i32>, %arg6: tensor<i32>) -> (tensor<1xcomplex<f64>> {jax.result_info = "result[0]"}, tensor<2x9xf16> {jax.result_info = "result[1]"}, tensor<1x4xf64> {jax.result_info = "result[2]"}, tensor<14x17xf16> {jax.result_info = "result[3]"}, tensor<17x1x7xf16> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<-3.000000e+00> : tensor<1xf64>
    %c = stablehlo.constant dense<0> : tensor<4x1xi8>
    %0 = stablehlo.select %arg3, %arg2, %arg0 : tensor<i1>, tensor<7x17xf16>
    %1 = stablehlo.complex %arg4, %cst : tensor<1xcomplex<f64>>
    %2 = stablehlo.negate %1 : tensor<1xcomplex<f64>>
    %3 = stablehlo.exponential %2 : tensor<1xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<1xcomplex<f64>>
    %5 = stablehlo.add %4, %3 : tensor<1xcomplex<f64>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<1xcomplex<f64>>
    %7 = stablehlo.divide %6, %5 : tensor<1xcomplex<f64>>
    %8 = stablehlo.real %7 : (tensor<1xcomplex<f64>>) -> tensor<1xf64>
    %9 = stablehlo.imag %7 : (tensor<1xcomplex<f64>>) -> tensor<1xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %11 = stablehlo.compare EQ, %8, %10, FLOAT : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xi1>
    %12 = stablehlo.sine %8 : tensor<1xf64>
    %13 = stablehlo.cosine %8 : tensor<1xf64>
    %14 = stablehlo.exponential_minus_one %9 : tensor<1xf64>
    %15 = stablehlo.negate %9 : tensor<1xf64>
    %16 = stablehlo.exponential_minus_one %15 : tensor<1xf64>
    %17 = stablehlo.subtract %14, %16 : tensor<1xf64>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %19 = stablehlo.divide %17, %18 : tensor<1xf64>
    %20 = stablehlo.add %14, %16 : tensor<1xf64>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %22 = stablehlo.add %20, %21 : tensor<1xf64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %24 = stablehlo.divide %22, %23 : tensor<1xf64>
    %25 = stablehlo.multiply %12, %24 : tensor<1xf64>
    %26 = stablehlo.multiply %13, %19 : tensor<1xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %28 = stablehlo.complex %27, %26 : tensor<1xcomplex<f64>>
    %29 = stablehlo.complex %25, %26 : tensor<1xcomplex<f64>>
    %30 = stablehlo.select %11, %28, %29 : tensor<1xi1>, tensor<1xcomplex<f64>>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.compare LT, %arg5, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<7> : tensor<i32>
    %32 = stablehlo.add %arg5, %c_8 : tensor<i32>
    %33 = stablehlo.select %31, %32, %arg5 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.compare LT, %arg6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<17> : tensor<i32>
    %35 = stablehlo.add %arg6, %c_10 : tensor<i32>
    %36 = stablehlo.select %34, %35, %arg6 : tensor<i1>, tensor<i32>
    %37 = stablehlo.dynamic_slice %0, %33, %36, sizes = [2, 9] : (tensor<7x17xf16>, tensor<i32>, tensor<i32>) -> tensor<2x9xf16>
    %c_11 = stablehlo.constant dense<0> : tensor<1xi32>
    %38 = stablehlo.convert %c : (tensor<4x1xi8>) -> tensor<4x1xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %40 = stablehlo.compare GE, %38, %39, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %41 = stablehlo.broadcast_in_dim %c_11, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %43 = stablehlo.compare LE, %38, %42, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %44 = stablehlo.and %40, %43 : tensor<4x1xi1>
    %c_13 = stablehlo.constant dense<true> : tensor<i1>
    %45 = stablehlo.reduce(%44 init: %c_13) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %46 = "stablehlo.gather"(%arg4, %38) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1xf64>, tensor<4x1xi32>) -> tensor<1x4xf64>
    %47 = stablehlo.broadcast_in_dim %45, dims = [1] : (tensor<4xi1>) -> tensor<1x4xi1>
    %cst_14 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %48 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<1x4xf64>
    %49 = stablehlo.select %47, %46, %48 : tensor<1x4xi1>, tensor<1x4xf64>
    %50 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<7x17xf16>, tensor<7x17xf16>) -> tensor<14x17xf16>
    %51 = stablehlo.reshape %arg1 : (tensor<7x17xf16>) -> tensor<17x1x7xf16>
    return %30, %37, %49, %50, %51 : tensor<1xcomplex<f64>>, tensor<2x9xf16>, tensor<1x4xf64>, tensor<14x17xf16>, tensor<17x1x7xf16>
  }
}
