module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<33xf32>, %arg1: tensor<33xf32>, %arg2: tensor<2x2x2x17xf32>, %arg3: tensor<2x2x2x17xf32>, %arg4: tensor<2x2x2x17xf32>, %arg5: tensor<4x7x33xf32>) -> (tensor<33xf32> {jax.result_info = "result[0]"}, tensor<2x2x2x17xf32> {jax.result_info = "result[1]"}, tensor<2x2x2x17xf32> {jax.result_info = "result[2]"}, tensor<2x2x2x17xf32> {jax.result_info = "result[3]"}, tensor<4x7xi1> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<33xf32>) -> tensor<1x33xf32>
    %1:31 = call @cumprod(%arg0) : (tensor<33xf32>) -> (tensor<33xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>)
    %2 = stablehlo.multiply %1#0, %arg1 : tensor<33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<33xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %5 = stablehlo.multiply %4, %arg1 : tensor<33xf32>
    %6 = call @cumprod_0(%1#1, %1#2, %1#3, %1#4, %1#5, %1#6, %1#7, %1#8, %1#9, %1#10, %1#11, %1#12, %1#13, %1#14, %1#15, %1#16, %1#17, %1#18, %1#19, %1#20, %1#21, %1#22, %1#23, %1#24, %1#25, %1#26, %1#27, %1#28, %1#29, %1#30, %5) : (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<33xf32>) -> tensor<33xf32>
    %7 = stablehlo.add %arg2, %arg3 : tensor<2x2x2x17xf32>
    %8 = stablehlo.multiply %7, %arg4 : tensor<2x2x2x17xf32>
    %9 = chlo.asinh %arg2 : tensor<2x2x2x17xf32> -> tensor<2x2x2x17xf32>
    %10 = stablehlo.dot_general %arg1, %arg5, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<33xf32>, tensor<4x7x33xf32>) -> tensor<4x7xf32>
    %11 = stablehlo.compare NE, %10, %10, FLOAT : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xi1>
    return %6, %8, %arg4, %9, %11 : tensor<33xf32>, tensor<2x2x2x17xf32>, tensor<2x2x2x17xf32>, tensor<2x2x2x17xf32>, tensor<4x7xi1>
  }
  func.func private @cumprod(%arg0: tensor<33xf32>) -> (tensor<33xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.slice %arg0 [0:32:2] : (tensor<33xf32>) -> tensor<16xf32>
    %1 = stablehlo.slice %arg0 [1:33:2] : (tensor<33xf32>) -> tensor<16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<16xf32>
    %3 = stablehlo.slice %2 [0:15:2] : (tensor<16xf32>) -> tensor<8xf32>
    %4 = stablehlo.slice %2 [1:16:2] : (tensor<16xf32>) -> tensor<8xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<8xf32>
    %6 = stablehlo.slice %5 [0:7:2] : (tensor<8xf32>) -> tensor<4xf32>
    %7 = stablehlo.slice %5 [1:8:2] : (tensor<8xf32>) -> tensor<4xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<4xf32>
    %9 = stablehlo.slice %8 [0:3:2] : (tensor<4xf32>) -> tensor<2xf32>
    %10 = stablehlo.slice %8 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2xf32>
    %12 = stablehlo.slice %11 [0:1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %13 = stablehlo.slice %11 [1:2:2] : (tensor<2xf32>) -> tensor<1xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<1xf32>
    %15 = stablehlo.slice %14 [0:0] : (tensor<1xf32>) -> tensor<0xf32>
    %16 = stablehlo.slice %11 [2:2:2] : (tensor<2xf32>) -> tensor<0xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<0xf32>
    %18 = stablehlo.slice %11 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %19 = stablehlo.concatenate %18, %17, dim = 0 : (tensor<1xf32>, tensor<0xf32>) -> tensor<1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.pad %19, %cst, low = [0], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.pad %14, %cst_0, low = [1], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %22 = stablehlo.add %20, %21 : tensor<2xf32>
    %23 = stablehlo.slice %22 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %24 = stablehlo.slice %8 [2:4:2] : (tensor<4xf32>) -> tensor<1xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<1xf32>
    %26 = stablehlo.slice %8 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %27 = stablehlo.concatenate %26, %25, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.pad %27, %cst_1, low = [0], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.pad %22, %cst_2, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %30 = stablehlo.add %28, %29 : tensor<4xf32>
    %31 = stablehlo.slice %30 [0:3] : (tensor<4xf32>) -> tensor<3xf32>
    %32 = stablehlo.slice %5 [2:8:2] : (tensor<8xf32>) -> tensor<3xf32>
    %33 = stablehlo.multiply %31, %32 : tensor<3xf32>
    %34 = stablehlo.slice %5 [0:1] : (tensor<8xf32>) -> tensor<1xf32>
    %35 = stablehlo.concatenate %34, %33, dim = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.pad %35, %cst_3, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.pad %30, %cst_4, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.add %36, %37 : tensor<8xf32>
    %39 = stablehlo.slice %38 [0:7] : (tensor<8xf32>) -> tensor<7xf32>
    %40 = stablehlo.slice %2 [2:16:2] : (tensor<16xf32>) -> tensor<7xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<7xf32>
    %42 = stablehlo.slice %2 [0:1] : (tensor<16xf32>) -> tensor<1xf32>
    %43 = stablehlo.concatenate %42, %41, dim = 0 : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.pad %43, %cst_5, low = [0], high = [1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.pad %38, %cst_6, low = [1], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %46 = stablehlo.add %44, %45 : tensor<16xf32>
    %47 = stablehlo.slice %arg0 [2:33:2] : (tensor<33xf32>) -> tensor<16xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<16xf32>
    %49 = stablehlo.slice %arg0 [0:1] : (tensor<33xf32>) -> tensor<1xf32>
    %50 = stablehlo.concatenate %49, %48, dim = 0 : (tensor<1xf32>, tensor<16xf32>) -> tensor<17xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.pad %50, %cst_7, low = [0], high = [0], interior = [1] : (tensor<17xf32>, tensor<f32>) -> tensor<33xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.pad %46, %cst_8, low = [1], high = [1], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<33xf32>
    %53 = stablehlo.add %51, %52 : tensor<33xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    return %53, %1, %0, %4, %3, %7, %6, %10, %9, %13, %12, %16, %15, %cst_9, %cst_10, %24, %23, %cst_11, %cst_12, %32, %31, %cst_13, %cst_14, %40, %39, %cst_15, %cst_16, %47, %46, %cst_17, %cst_18 : tensor<33xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<0xf32>, tensor<0xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @cumprod_0(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<2xf32>, %arg7: tensor<2xf32>, %arg8: tensor<1xf32>, %arg9: tensor<1xf32>, %arg10: tensor<0xf32>, %arg11: tensor<0xf32>, %arg12: tensor<f32>, %arg13: tensor<f32>, %arg14: tensor<1xf32>, %arg15: tensor<1xf32>, %arg16: tensor<f32>, %arg17: tensor<f32>, %arg18: tensor<3xf32>, %arg19: tensor<3xf32>, %arg20: tensor<f32>, %arg21: tensor<f32>, %arg22: tensor<7xf32>, %arg23: tensor<7xf32>, %arg24: tensor<f32>, %arg25: tensor<f32>, %arg26: tensor<16xf32>, %arg27: tensor<16xf32>, %arg28: tensor<f32>, %arg29: tensor<f32>, %arg30: tensor<33xf32>) -> tensor<33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg30, %cst, low = [-1], high = [-1], interior = [0] : (tensor<33xf32>, tensor<f32>) -> tensor<31xf32>
    %1 = stablehlo.slice %0 [0:31:2] : (tensor<31xf32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.pad %arg30, %cst_0, low = [0], high = [0], interior = [0] : (tensor<33xf32>, tensor<f32>) -> tensor<33xf32>
    %3 = stablehlo.slice %2 [0:33:2] : (tensor<33xf32>) -> tensor<17xf32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<17xf32>) -> tensor<1xf32>
    %5 = stablehlo.slice %3 [1:17] : (tensor<17xf32>) -> tensor<16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.pad %4, %cst_1, low = [0], high = [32], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<33xf32>
    %7 = stablehlo.multiply %arg27, %5 : tensor<16xf32>
    %8 = stablehlo.multiply %5, %arg26 : tensor<16xf32>
    %9 = stablehlo.add %1, %8 : tensor<16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.pad %7, %cst_2, low = [2], high = [0], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<33xf32>
    %11 = stablehlo.add %6, %10 : tensor<33xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.pad %9, %cst_3, low = [-1], high = [0], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<15xf32>
    %13 = stablehlo.slice %12 [0:15:2] : (tensor<15xf32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.pad %9, %cst_4, low = [0], high = [-1], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<15xf32>
    %15 = stablehlo.slice %14 [0:15:2] : (tensor<15xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %15 [0:1] : (tensor<8xf32>) -> tensor<1xf32>
    %17 = stablehlo.slice %15 [1:8] : (tensor<8xf32>) -> tensor<7xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %16, %cst_5, low = [0], high = [15], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<16xf32>
    %19 = stablehlo.multiply %arg23, %17 : tensor<7xf32>
    %20 = stablehlo.multiply %17, %arg22 : tensor<7xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.pad %19, %cst_6, low = [2], high = [1], interior = [1] : (tensor<7xf32>, tensor<f32>) -> tensor<16xf32>
    %22 = stablehlo.add %18, %21 : tensor<16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.pad %20, %cst_7, low = [0], high = [1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<8xf32>
    %24 = stablehlo.add %13, %23 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.pad %24, %cst_8, low = [-1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
    %26 = stablehlo.slice %25 [0:7:2] : (tensor<7xf32>) -> tensor<4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.pad %24, %cst_9, low = [0], high = [-1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
    %28 = stablehlo.slice %27 [0:7:2] : (tensor<7xf32>) -> tensor<4xf32>
    %29 = stablehlo.slice %28 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %30 = stablehlo.slice %28 [1:4] : (tensor<4xf32>) -> tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.pad %29, %cst_10, low = [0], high = [7], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.multiply %arg19, %30 : tensor<3xf32>
    %33 = stablehlo.multiply %30, %arg18 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.pad %32, %cst_11, low = [2], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.add %31, %34 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.pad %33, %cst_12, low = [0], high = [1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
    %37 = stablehlo.add %26, %36 : tensor<4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.pad %37, %cst_13, low = [-1], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    %39 = stablehlo.slice %38 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.pad %37, %cst_14, low = [0], high = [-1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    %41 = stablehlo.slice %40 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
    %42 = stablehlo.slice %41 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %43 = stablehlo.slice %41 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.pad %42, %cst_15, low = [0], high = [3], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
    %45 = stablehlo.multiply %arg15, %43 : tensor<1xf32>
    %46 = stablehlo.multiply %43, %arg14 : tensor<1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.pad %45, %cst_16, low = [2], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<4xf32>
    %48 = stablehlo.add %44, %47 : tensor<4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.pad %46, %cst_17, low = [0], high = [1], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %50 = stablehlo.add %39, %49 : tensor<2xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.pad %50, %cst_18, low = [-1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
    %52 = stablehlo.slice %51 [0:1:2] : (tensor<1xf32>) -> tensor<1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.pad %50, %cst_19, low = [0], high = [-1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
    %54 = stablehlo.slice %53 [0:1:2] : (tensor<1xf32>) -> tensor<1xf32>
    %55 = stablehlo.slice %54 [0:1] : (tensor<1xf32>) -> tensor<1xf32>
    %56 = stablehlo.slice %54 [1:1] : (tensor<1xf32>) -> tensor<0xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.pad %55, %cst_20, low = [0], high = [1], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %58 = stablehlo.multiply %arg11, %56 : tensor<0xf32>
    %59 = stablehlo.multiply %56, %arg10 : tensor<0xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.pad %58, %cst_21, low = [2], high = [0], interior = [1] : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
    %61 = stablehlo.add %57, %60 : tensor<2xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.pad %59, %cst_22, low = [0], high = [1], interior = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<1xf32>
    %63 = stablehlo.add %52, %62 : tensor<1xf32>
    %64 = stablehlo.multiply %arg9, %63 : tensor<1xf32>
    %65 = stablehlo.multiply %63, %arg8 : tensor<1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.pad %64, %cst_23, low = [1], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %67 = stablehlo.add %61, %66 : tensor<2xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.pad %65, %cst_24, low = [0], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %69 = stablehlo.add %67, %68 : tensor<2xf32>
    %70 = stablehlo.multiply %arg7, %69 : tensor<2xf32>
    %71 = stablehlo.multiply %69, %arg6 : tensor<2xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.pad %70, %cst_25, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %73 = stablehlo.add %48, %72 : tensor<4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.pad %71, %cst_26, low = [0], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %75 = stablehlo.add %73, %74 : tensor<4xf32>
    %76 = stablehlo.multiply %arg5, %75 : tensor<4xf32>
    %77 = stablehlo.multiply %75, %arg4 : tensor<4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.pad %76, %cst_27, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %79 = stablehlo.add %35, %78 : tensor<8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.pad %77, %cst_28, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %81 = stablehlo.add %79, %80 : tensor<8xf32>
    %82 = stablehlo.multiply %arg3, %81 : tensor<8xf32>
    %83 = stablehlo.multiply %81, %arg2 : tensor<8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.pad %82, %cst_29, low = [1], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %85 = stablehlo.add %22, %84 : tensor<16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.pad %83, %cst_30, low = [0], high = [1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %87 = stablehlo.add %85, %86 : tensor<16xf32>
    %88 = stablehlo.multiply %arg1, %87 : tensor<16xf32>
    %89 = stablehlo.multiply %87, %arg0 : tensor<16xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.pad %88, %cst_31, low = [1], high = [1], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<33xf32>
    %91 = stablehlo.add %11, %90 : tensor<33xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.pad %89, %cst_32, low = [0], high = [2], interior = [1] : (tensor<16xf32>, tensor<f32>) -> tensor<33xf32>
    %93 = stablehlo.add %91, %92 : tensor<33xf32>
    return %93 : tensor<33xf32>
  }
}
