module @jit_transformer_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x128x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x768xf32>, %arg4: tensor<256x256xf32>, %arg5: tensor<256xf32>, %arg6: tensor<256xf32>, %arg7: tensor<256x1024xf32>, %arg8: tensor<1024xf32>, %arg9: tensor<1024x256xf32>, %arg10: tensor<256xf32>) -> (tensor<1x128x256xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x128x256xf32>, tensor<f32>) -> tensor<1x128xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %cst_0 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x128x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1x128x256xf32>
    %6 = chlo.square %5 : tensor<1x128x256xf32> -> tensor<1x128x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x128x256xf32>, tensor<f32>) -> tensor<1x128xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %cst_2 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<1x128x1xf32>
    %11 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %12 = stablehlo.subtract %arg0, %11 : tensor<1x128x256xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %14 = stablehlo.add %10, %13 : tensor<1x128x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<1x128x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %17 = stablehlo.multiply %12, %16 : tensor<1x128x256xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<1x128x256xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
    %23 = stablehlo.add %20, %22 : tensor<1x128x256xf32>
    %24 = stablehlo.dot_general %23, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x256xf32>, tensor<256x768xf32>) -> tensor<1x128x768xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
    %26 = stablehlo.slice %25 [0:1, 0:128, 0:4, 0:64] : (tensor<1x128x12x64xf32>) -> tensor<1x128x4x64xf32>
    %27 = stablehlo.slice %25 [0:1, 0:128, 4:8, 0:64] : (tensor<1x128x12x64xf32>) -> tensor<1x128x4x64xf32>
    %28 = stablehlo.slice %25 [0:1, 0:128, 8:12, 0:64] : (tensor<1x128x12x64xf32>) -> tensor<1x128x4x64xf32>
    %29 = stablehlo.dot_general %26, %27, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x64xf32>, tensor<1x128x4x64xf32>) -> tensor<1x4x128x128xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x4x128x128xf32>
    %31 = stablehlo.divide %29, %30 : tensor<1x4x128x128xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %32 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %33 = call @tril(%32) : (tensor<128x128xi1>) -> tensor<128x128xi1>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = call @_where(%33, %31, %cst_5) : (tensor<128x128xi1>, tensor<1x4x128x128xf32>, tensor<f32>) -> tensor<1x4x128x128xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x128x128xf32>, tensor<f32>) -> tensor<1x4x128xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x4x128xf32>
    %37 = stablehlo.maximum %36, %35 : tensor<1x4x128xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x4x128xf32>) -> tensor<1x4x128x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x4x128x1xf32>) -> tensor<1x4x128x128xf32>
    %40 = stablehlo.subtract %34, %39 : tensor<1x4x128x128xf32>
    %41 = stablehlo.exponential %40 : tensor<1x4x128x128xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<1x4x128x128xf32>, tensor<f32>) -> tensor<1x4x128xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<1x4x128xf32>) -> tensor<1x4x128x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x4x128x1xf32>) -> tensor<1x4x128x128xf32>
    %45 = stablehlo.divide %41, %44 : tensor<1x4x128x128xf32>
    %46 = stablehlo.dot_general %28, %45, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x64xf32>, tensor<1x4x128x128xf32>) -> tensor<1x4x64x128xf32>
    %47 = stablehlo.transpose %46, dims = [0, 3, 1, 2] : (tensor<1x4x64x128xf32>) -> tensor<1x128x4x64xf32>
    %48 = stablehlo.reshape %47 : (tensor<1x128x4x64xf32>) -> tensor<1x128x256xf32>
    %49 = stablehlo.dot_general %48, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x256xf32>, tensor<256x256xf32>) -> tensor<1x128x256xf32>
    %50 = stablehlo.add %arg0, %49 : tensor<1x128x256xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<1x128x256xf32>, tensor<f32>) -> tensor<1x128xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %cst_10 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %54 = stablehlo.divide %52, %53 : tensor<1x128x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %56 = stablehlo.subtract %50, %55 : tensor<1x128x256xf32>
    %57 = chlo.square %56 : tensor<1x128x256xf32> -> tensor<1x128x256xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<1x128x256xf32>, tensor<f32>) -> tensor<1x128xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %cst_12 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %61 = stablehlo.divide %59, %60 : tensor<1x128x1xf32>
    %62 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %63 = stablehlo.subtract %50, %62 : tensor<1x128x256xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x128x1xf32>
    %65 = stablehlo.add %61, %64 : tensor<1x128x1xf32>
    %66 = stablehlo.rsqrt %65 : tensor<1x128x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<1x128x1xf32>) -> tensor<1x128x256xf32>
    %68 = stablehlo.multiply %63, %67 : tensor<1x128x256xf32>
    %69 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
    %71 = stablehlo.multiply %68, %70 : tensor<1x128x256xf32>
    %72 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
    %74 = stablehlo.add %71, %73 : tensor<1x128x256xf32>
    %75 = stablehlo.dot_general %74, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x256xf32>, tensor<256x1024xf32>) -> tensor<1x128x1024xf32>
    %76 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<1024xf32>) -> tensor<1x1x1024xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<1x1x1024xf32>) -> tensor<1x128x1024xf32>
    %78 = stablehlo.add %75, %77 : tensor<1x128x1024xf32>
    %79 = stablehlo.multiply %78, %78 : tensor<1x128x1024xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<1x128x1024xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x128x1024xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<1x128x1024xf32>
    %83 = stablehlo.add %78, %82 : tensor<1x128x1024xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x128x1024xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<1x128x1024xf32>
    %86 = stablehlo.tanh %85 : tensor<1x128x1024xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x128x1024xf32>
    %88 = stablehlo.add %87, %86 : tensor<1x128x1024xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x128x1024xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<1x128x1024xf32>
    %91 = stablehlo.multiply %78, %90 : tensor<1x128x1024xf32>
    %92 = stablehlo.dot_general %91, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x1024xf32>, tensor<1024x256xf32>) -> tensor<1x128x256xf32>
    %93 = stablehlo.add %50, %92 : tensor<1x128x256xf32>
    %94 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<1x128x256xf32>
    %96 = stablehlo.add %93, %95 : tensor<1x128x256xf32>
    return %96 : tensor<1x128x256xf32>
  }
  func.func private @tril(%arg0: tensor<128x128xi1>) -> tensor<128x128xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<128x128xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<128x128xi32>
    %2 = stablehlo.add %0, %1 : tensor<128x128xi32>
    %3 = stablehlo.iota dim = 1 : tensor<128x128xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<128x128xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<128x128xi1>, tensor<128x128xi1>
    return %6 : tensor<128x128xi1>
  }
  func.func private @_where(%arg0: tensor<128x128xi1>, %arg1: tensor<1x4x128x128xf32>, %arg2: tensor<f32>) -> tensor<1x4x128x128xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<128x128xi1>) -> tensor<1x4x128x128xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x128x128xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x128x128xi1>, tensor<1x4x128x128xf32>
    return %3 : tensor<1x4x128x128xf32>
  }
}
