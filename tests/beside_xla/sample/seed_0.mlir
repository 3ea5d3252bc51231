module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x7xf16>, %arg1: tensor<3x3xf16>, %arg2: tensor<2xf16>, %arg3: tensor<i1>, %arg4: tensor<4x1xui8>, %arg5: tensor<1x6x2xf16>, %arg6: tensor<1x2x1xf16>) -> (tensor<2xf16> {jax.result_info = "result[0]"}, tensor<9x7xi32> {jax.result_info = "result[1]"}, tensor<9x7xi32> {jax.result_info = "result[2]"}, tensor<1x4x1xf16> {jax.result_info = "result[3]"}, tensor<2x1x6xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[[-467726891, 875253214, -860835980, 1379127263, -2057790724, 2069436889, -1945061782], [1476569222, -2132298308, -325960163, -818398327, 2060247315, 665245011, 2035747517], [-366964968, 15792505, 9772119, 1088544594, 39304160, 1777419248, -1323051640], [-102447546, -1087695228, 1562450008, -1557530088, 865730399, 1768915260, -885088582], [1, 1149557746, 392183596, 303588843, 1649922816, -1744421784, -974652378], [1, 1793040295, -1830768408, -203447468, -102362114, -2085150342, -306920046], [638820015, -327545189, -834703977, 370657196, 2065386357, -1620531276, -918227866], [1863023282, -874398583, 790490655, -638190195, 1390630345, 366571260, 1704248315], [590620934, 357856876, -49118164, -1974747705, 2147483646, 908328993, 599516796]]> : tensor<9x7xi32>
    %0 = stablehlo.convert %arg0 : (tensor<9x7xf16>) -> tensor<9x7xi32>
    %1 = chlo.lgamma %arg2 : tensor<2xf16> -> tensor<2xf16>
    %2 = stablehlo.convert %arg3 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      stablehlo.return %1 : tensor<2xf16>
    }, {
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f16>
      %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<2xf16>
      %20 = stablehlo.multiply %1, %19 : tensor<2xf16>
      %21 = stablehlo.add %20, %arg2 : tensor<2xf16>
      stablehlo.return %21 : tensor<2xf16>
    }) : (tensor<i32>) -> tensor<2xf16>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %4 = stablehlo.convert %arg4 : (tensor<4x1xui8>) -> tensor<4x1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %9 = stablehlo.compare LE, %4, %8, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %10 = stablehlo.and %6, %9 : tensor<4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %12 = "stablehlo.gather"(%arg1, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x3xf16>, tensor<4x1xi32>) -> tensor<1x4x1xf16>
    %13 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xi1>) -> tensor<1x4x1xi1>
    %cst = stablehlo.constant dense<0x7E00> : tensor<f16>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<1x4x1xf16>
    %15 = stablehlo.select %13, %12, %14 : tensor<1x4x1xi1>, tensor<1x4x1xf16>
    %16 = stablehlo.iota dim = 0 : tensor<1x4x1xf16>
    %17 = stablehlo.subtract %15, %16 : tensor<1x4x1xf16>
    %18 = stablehlo.convolution(%arg5, %arg6) dim_numbers = [f, 0, b]x[i, o, 0]->[f, b, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x2xf16>, tensor<1x2x1xf16>) -> tensor<2x1x6xf32>
    return %3, %0, %c, %17, %18 : tensor<2xf16>, tensor<9x7xi32>, tensor<9x7xi32>, tensor<1x4x1xf16>, tensor<2x1x6xf32>
  }
}
