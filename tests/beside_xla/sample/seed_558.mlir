module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<30xf64>, %arg2: tensor<f32>, %arg3: tensor<8xi8>) -> (tensor<30xf64> {jax.result_info = "result[0]"}, tensor<30xf32> {jax.result_info = "result[1]"}, tensor<8xi8> {jax.result_info = "result[2]"}, tensor<1x3xf32> {jax.result_info = "result[3]"}, tensor<27xf64> {jax.result_info = "result[4]"}, tensor<30xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<[2.000000e+00, 1.000000e+00, 1.500000e+00, 1.7976931348623157E+308, -2.750000e+00, 2.000000e+00, 2.750000e+00, 1.000000e+00, -2.000000e+00, -1.000000e+00, 5.000000e-01, 2.250000e+00, 1.500000e+00, -1.000000e+00, 3.000000e+00, 1.000000e+00, -1.7976931348623157E+308, 2.500000e+00, 2.500000e-01, 2.500000e-01, -1.500000e+00, 1.500000e+00, 1.250000e+00, 1.750000e+00, 2.750000e+00, -5.000000e-01, -1.7976931348623157E+308, 3.000000e+00, 0x7FF8000000000000, -1.250000e+00, 3.000000e+00, -1.250000e+00, -7.500000e-01]> : tensor<33xf64>
    %cst_0 = stablehlo.constant dense<[-2.500000e-01, 3.000000e+00, -3.000000e+00, -1.401300e-45, -3.000000e+00, -2.500000e+00, -2.000000e+00, -2.250000e+00, 1.250000e+00, 1.401300e-45, -5.000000e-01, 1.17549435E-38, 2.500000e+00, 2.750000e+00, 0xFF800000, -5.000000e-01, 0.000000e+00, -3.000000e+00, -2.250000e+00, 1.250000e+00, 2.250000e+00, 2.250000e+00, 2.250000e+00, -1.500000e+00, -2.250000e+00, -1.250000e+00, 1.000000e+00, -3.000000e+00, 3.40282347E+38, 3.40282347E+38]> : tensor<30xf32>
    %c = stablehlo.constant dense<[[[0], [1], [0]]]> : tensor<1x3x1xi64>
    %0 = stablehlo.pad %cst, %arg0, low = [-2], high = [-1], interior = [0] : (tensor<33xf64>, tensor<f64>) -> tensor<30xf64>
    %values, %indices = chlo.top_k(%cst, k = 27) : tensor<33xf64> -> (tensor<27xf64>, tensor<27xi32>)
    %1:3 = "stablehlo.sort"(%0, %arg1, %cst_0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>, %arg6: tensor<f64>, %arg7: tensor<f64>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %35 = stablehlo.compare EQ, %arg4, %cst_11, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %36 = stablehlo.select %35, %cst_12, %arg4 : tensor<i1>, tensor<f64>
      %37 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %38 = stablehlo.select %37, %cst_13, %36 : tensor<i1>, tensor<f64>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %39 = stablehlo.compare EQ, %arg5, %cst_14, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %40 = stablehlo.select %39, %cst_15, %arg5 : tensor<i1>, tensor<f64>
      %41 = stablehlo.compare NE, %arg5, %arg5, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_16 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %42 = stablehlo.select %41, %cst_16, %40 : tensor<i1>, tensor<f64>
      %43 = stablehlo.compare LT, %38, %42, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %43 : tensor<i1>
    }) : (tensor<30xf64>, tensor<30xf64>, tensor<30xf32>) -> (tensor<30xf64>, tensor<30xf64>, tensor<30xf32>)
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<30xf32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<30xf32>
    %4 = stablehlo.clamp %2, %1#2, %3 : tensor<30xf32>
    %5 = stablehlo.negate %arg3 : tensor<8xi8>
    %c_2 = stablehlo.constant dense<29> : tensor<1xi32>
    %6 = stablehlo.convert %c : (tensor<1x3x1xi64>) -> tensor<1x3x1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x3x1xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<1x3x1xi32>, tensor<1x3x1xi32>) -> tensor<1x3x1xi1>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1x3x1xi32>
    %11 = stablehlo.compare LE, %6, %10, SIGNED : (tensor<1x3x1xi32>, tensor<1x3x1xi32>) -> tensor<1x3x1xi1>
    %12 = stablehlo.and %8, %11 : tensor<1x3x1xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %13 = stablehlo.reduce(%12 init: %c_4) applies stablehlo.and across dimensions = [2] : (tensor<1x3x1xi1>, tensor<i1>) -> tensor<1x3xi1>
    %14 = "stablehlo.gather"(%cst_0, %6) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<30xf32>, tensor<1x3x1xi32>) -> tensor<1x3xf32>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %16 = stablehlo.select %13, %14, %15 : tensor<1x3xi1>, tensor<1x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %17 = stablehlo.reduce(%values init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<27xf64>, tensor<f64>) -> tensor<f64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %cst_7 = stablehlo.constant dense<2.700000e+01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %20 = stablehlo.divide %18, %19 : tensor<1xf64>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<1xf64>) -> tensor<27xf64>
    %22 = stablehlo.subtract %values, %21 : tensor<27xf64>
    %23 = chlo.square %22 : tensor<27xf64> -> tensor<27xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %24 = stablehlo.reduce(%23 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<27xf64>, tensor<f64>) -> tensor<f64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %cst_9 = stablehlo.constant dense<2.700000e+01> : tensor<f64>
    %26 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %27 = stablehlo.divide %25, %26 : tensor<1xf64>
    %28 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<1xf64>) -> tensor<27xf64>
    %29 = stablehlo.subtract %values, %28 : tensor<27xf64>
    %cst_10 = stablehlo.constant dense<1.000000e-03> : tensor<f64>
    %30 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %31 = stablehlo.add %27, %30 : tensor<1xf64>
    %32 = stablehlo.rsqrt %31 : tensor<1xf64>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<1xf64>) -> tensor<27xf64>
    %34 = stablehlo.multiply %29, %33 : tensor<27xf64>
    return %1#1, %4, %5, %16, %34, %1#2 : tensor<30xf64>, tensor<30xf32>, tensor<8xi8>, tensor<1x3xf32>, tensor<27xf64>, tensor<30xf32>
  }
}
