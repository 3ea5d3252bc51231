module @jit_resnet18 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x224x224x3xf32>, %arg1: tensor<7x7x3x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<3x3x64x64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<3x3x64x64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<3x3x64x64xf32>, %arg11: tensor<64xf32>, %arg12: tensor<64xf32>, %arg13: tensor<3x3x64x64xf32>, %arg14: tensor<64xf32>, %arg15: tensor<64xf32>, %arg16: tensor<3x3x64x128xf32>, %arg17: tensor<128xf32>, %arg18: tensor<128xf32>, %arg19: tensor<3x3x128x128xf32>, %arg20: tensor<128xf32>, %arg21: tensor<128xf32>, %arg22: tensor<1x1x64x128xf32>, %arg23: tensor<128xf32>, %arg24: tensor<128xf32>, %arg25: tensor<3x3x128x128xf32>, %arg26: tensor<128xf32>, %arg27: tensor<128xf32>, %arg28: tensor<3x3x128x128xf32>, %arg29: tensor<128xf32>, %arg30: tensor<128xf32>, %arg31: tensor<3x3x128x256xf32>, %arg32: tensor<256xf32>, %arg33: tensor<256xf32>, %arg34: tensor<3x3x256x256xf32>, %arg35: tensor<256xf32>, %arg36: tensor<256xf32>, %arg37: tensor<1x1x128x256xf32>, %arg38: tensor<256xf32>, %arg39: tensor<256xf32>, %arg40: tensor<3x3x256x256xf32>, %arg41: tensor<256xf32>, %arg42: tensor<256xf32>, %arg43: tensor<3x3x256x256xf32>, %arg44: tensor<256xf32>, %arg45: tensor<256xf32>, %arg46: tensor<3x3x256x512xf32>, %arg47: tensor<512xf32>, %arg48: tensor<512xf32>, %arg49: tensor<3x3x512x512xf32>, %arg50: tensor<512xf32>, %arg51: tensor<512xf32>, %arg52: tensor<1x1x256x512xf32>, %arg53: tensor<512xf32>, %arg54: tensor<512xf32>, %arg55: tensor<3x3x512x512xf32>, %arg56: tensor<512xf32>, %arg57: tensor<512xf32>, %arg58: tensor<3x3x512x512xf32>, %arg59: tensor<512xf32>, %arg60: tensor<512xf32>, %arg61: tensor<512x1000xf32>, %arg62: tensor<1000xf32>) -> (tensor<1x1000xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x112x112x64xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<1x112x112x64xf32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x112x112x64xf32>
    %6 = stablehlo.add %3, %5 : tensor<1x112x112x64xf32>
    %7 = call @relu(%6) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.reduce_window"(%7, %8) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
      %173 = stablehlo.maximum %arg63, %arg64 : tensor<f32>
      stablehlo.return %173 : tensor<f32>
    }) : (tensor<1x112x112x64xf32>, tensor<f32>) -> tensor<1x56x56x64xf32>
    %10 = stablehlo.convolution(%9, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    %11 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<1x56x56x64xf32>
    %14 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %16 = stablehlo.add %13, %15 : tensor<1x56x56x64xf32>
    %17 = call @relu_0(%16) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %18 = stablehlo.convolution(%17, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    %19 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<1x56x56x64xf32>
    %22 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %24 = stablehlo.add %21, %23 : tensor<1x56x56x64xf32>
    %25 = stablehlo.add %24, %9 : tensor<1x56x56x64xf32>
    %26 = call @relu_0(%25) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %27 = stablehlo.convolution(%26, %arg10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    %28 = stablehlo.broadcast_in_dim %arg11, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %30 = stablehlo.multiply %27, %29 : tensor<1x56x56x64xf32>
    %31 = stablehlo.broadcast_in_dim %arg12, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %33 = stablehlo.add %30, %32 : tensor<1x56x56x64xf32>
    %34 = call @relu_0(%33) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %35 = stablehlo.convolution(%34, %arg13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    %36 = stablehlo.broadcast_in_dim %arg14, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<1x56x56x64xf32>
    %39 = stablehlo.broadcast_in_dim %arg15, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %41 = stablehlo.add %38, %40 : tensor<1x56x56x64xf32>
    %42 = stablehlo.add %41, %26 : tensor<1x56x56x64xf32>
    %43 = call @relu_0(%42) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %44 = stablehlo.convolution(%43, %arg16) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<3x3x64x128xf32>) -> tensor<1x28x28x128xf32>
    %45 = stablehlo.broadcast_in_dim %arg17, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %47 = stablehlo.multiply %44, %46 : tensor<1x28x28x128xf32>
    %48 = stablehlo.broadcast_in_dim %arg18, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %50 = stablehlo.add %47, %49 : tensor<1x28x28x128xf32>
    %51 = call @relu_1(%50) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %52 = stablehlo.convolution(%51, %arg19) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<1x28x28x128xf32>
    %53 = stablehlo.broadcast_in_dim %arg20, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %55 = stablehlo.multiply %52, %54 : tensor<1x28x28x128xf32>
    %56 = stablehlo.broadcast_in_dim %arg21, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %58 = stablehlo.add %55, %57 : tensor<1x28x28x128xf32>
    %59 = stablehlo.convolution(%43, %arg22) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<1x1x64x128xf32>) -> tensor<1x28x28x128xf32>
    %60 = stablehlo.broadcast_in_dim %arg23, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %62 = stablehlo.multiply %59, %61 : tensor<1x28x28x128xf32>
    %63 = stablehlo.broadcast_in_dim %arg24, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %65 = stablehlo.add %62, %64 : tensor<1x28x28x128xf32>
    %66 = stablehlo.add %58, %65 : tensor<1x28x28x128xf32>
    %67 = call @relu_1(%66) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %68 = stablehlo.convolution(%67, %arg25) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<1x28x28x128xf32>
    %69 = stablehlo.broadcast_in_dim %arg26, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %71 = stablehlo.multiply %68, %70 : tensor<1x28x28x128xf32>
    %72 = stablehlo.broadcast_in_dim %arg27, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %74 = stablehlo.add %71, %73 : tensor<1x28x28x128xf32>
    %75 = call @relu_1(%74) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %76 = stablehlo.convolution(%75, %arg28) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<1x28x28x128xf32>
    %77 = stablehlo.broadcast_in_dim %arg29, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %79 = stablehlo.multiply %76, %78 : tensor<1x28x28x128xf32>
    %80 = stablehlo.broadcast_in_dim %arg30, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %82 = stablehlo.add %79, %81 : tensor<1x28x28x128xf32>
    %83 = stablehlo.add %82, %67 : tensor<1x28x28x128xf32>
    %84 = call @relu_1(%83) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %85 = stablehlo.convolution(%84, %arg31) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<3x3x128x256xf32>) -> tensor<1x14x14x256xf32>
    %86 = stablehlo.broadcast_in_dim %arg32, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %88 = stablehlo.multiply %85, %87 : tensor<1x14x14x256xf32>
    %89 = stablehlo.broadcast_in_dim %arg33, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %91 = stablehlo.add %88, %90 : tensor<1x14x14x256xf32>
    %92 = call @relu_2(%91) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %93 = stablehlo.convolution(%92, %arg34) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x14x14x256xf32>
    %94 = stablehlo.broadcast_in_dim %arg35, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %96 = stablehlo.multiply %93, %95 : tensor<1x14x14x256xf32>
    %97 = stablehlo.broadcast_in_dim %arg36, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %99 = stablehlo.add %96, %98 : tensor<1x14x14x256xf32>
    %100 = stablehlo.convolution(%84, %arg37) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<1x1x128x256xf32>) -> tensor<1x14x14x256xf32>
    %101 = stablehlo.broadcast_in_dim %arg38, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %103 = stablehlo.multiply %100, %102 : tensor<1x14x14x256xf32>
    %104 = stablehlo.broadcast_in_dim %arg39, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %106 = stablehlo.add %103, %105 : tensor<1x14x14x256xf32>
    %107 = stablehlo.add %99, %106 : tensor<1x14x14x256xf32>
    %108 = call @relu_2(%107) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %109 = stablehlo.convolution(%108, %arg40) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x14x14x256xf32>
    %110 = stablehlo.broadcast_in_dim %arg41, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %112 = stablehlo.multiply %109, %111 : tensor<1x14x14x256xf32>
    %113 = stablehlo.broadcast_in_dim %arg42, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %115 = stablehlo.add %112, %114 : tensor<1x14x14x256xf32>
    %116 = call @relu_2(%115) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %117 = stablehlo.convolution(%116, %arg43) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x14x14x256xf32>
    %118 = stablehlo.broadcast_in_dim %arg44, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %120 = stablehlo.multiply %117, %119 : tensor<1x14x14x256xf32>
    %121 = stablehlo.broadcast_in_dim %arg45, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %123 = stablehlo.add %120, %122 : tensor<1x14x14x256xf32>
    %124 = stablehlo.add %123, %108 : tensor<1x14x14x256xf32>
    %125 = call @relu_2(%124) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %126 = stablehlo.convolution(%125, %arg46) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<3x3x256x512xf32>) -> tensor<1x7x7x512xf32>
    %127 = stablehlo.broadcast_in_dim %arg47, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %129 = stablehlo.multiply %126, %128 : tensor<1x7x7x512xf32>
    %130 = stablehlo.broadcast_in_dim %arg48, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %132 = stablehlo.add %129, %131 : tensor<1x7x7x512xf32>
    %133 = call @relu_3(%132) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %134 = stablehlo.convolution(%133, %arg49) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
    %135 = stablehlo.broadcast_in_dim %arg50, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %137 = stablehlo.multiply %134, %136 : tensor<1x7x7x512xf32>
    %138 = stablehlo.broadcast_in_dim %arg51, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %140 = stablehlo.add %137, %139 : tensor<1x7x7x512xf32>
    %141 = stablehlo.convolution(%125, %arg52) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x7x7x512xf32>
    %142 = stablehlo.broadcast_in_dim %arg53, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %144 = stablehlo.multiply %141, %143 : tensor<1x7x7x512xf32>
    %145 = stablehlo.broadcast_in_dim %arg54, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %147 = stablehlo.add %144, %146 : tensor<1x7x7x512xf32>
    %148 = stablehlo.add %140, %147 : tensor<1x7x7x512xf32>
    %149 = call @relu_3(%148) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %150 = stablehlo.convolution(%149, %arg55) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
    %151 = stablehlo.broadcast_in_dim %arg56, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %153 = stablehlo.multiply %150, %152 : tensor<1x7x7x512xf32>
    %154 = stablehlo.broadcast_in_dim %arg57, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %156 = stablehlo.add %153, %155 : tensor<1x7x7x512xf32>
    %157 = call @relu_3(%156) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %158 = stablehlo.convolution(%157, %arg58) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
    %159 = stablehlo.broadcast_in_dim %arg59, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %161 = stablehlo.multiply %158, %160 : tensor<1x7x7x512xf32>
    %162 = stablehlo.broadcast_in_dim %arg60, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %164 = stablehlo.add %161, %163 : tensor<1x7x7x512xf32>
    %165 = stablehlo.add %164, %149 : tensor<1x7x7x512xf32>
    %166 = call @relu_3(%165) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_0) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x7x7x512xf32>, tensor<f32>) -> tensor<1x512xf32>
    %cst_1 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x512xf32>
    %169 = stablehlo.divide %167, %168 : tensor<1x512xf32>
    %170 = stablehlo.dot_general %169, %arg61, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512xf32>, tensor<512x1000xf32>) -> tensor<1x1000xf32>
    %171 = stablehlo.broadcast_in_dim %arg62, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %172 = stablehlo.add %170, %171 : tensor<1x1000xf32>
    return %172 : tensor<1x1000xf32>
  }
  func.func private @relu(%arg0: tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x112x112x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x112x112x64xf32>
    return %1 : tensor<1x112x112x64xf32>
  }
  func.func private @relu_0(%arg0: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x56x56x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x56x56x64xf32>
    return %1 : tensor<1x56x56x64xf32>
  }
  func.func private @relu_1(%arg0: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x28x28x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x28x28x128xf32>
    return %1 : tensor<1x28x28x128xf32>
  }
  func.func private @relu_2(%arg0: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x14x14x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x14x14x256xf32>
    return %1 : tensor<1x14x14x256xf32>
  }
  func.func private @relu_3(%arg0: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x7x7x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x7x7x512xf32>
    return %1 : tensor<1x7x7x512xf32>
  }
}
