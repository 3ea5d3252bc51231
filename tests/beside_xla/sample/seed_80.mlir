module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x7xf8E5M2FNUZ>, %arg1: tensor<i32>, %arg2: tensor<5x5xf8E5M2FNUZ>, %arg3: tensor<1x17x9xf64>) -> (tensor<4x7xf8E5M2FNUZ> {jax.result_info = "result[0]"}, tensor<5x15xf8E5M2FNUZ> {jax.result_info = "result[1]"}, tensor<3x1x51xf64> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[[1.000000e+00, -5.000000e-01], [5.000000e-01, 1.250000e+00], [0x80, 1.875000e-01], [5.000000e-01, -1.500000e+00], [-1.500000e+00, 8.750000e-01]]> : tensor<5x2xf8E5M2FNUZ>
    %0 = stablehlo.tanh %arg0 : tensor<5x7xf8E5M2FNUZ>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<-1> : tensor<i32>
    %c_4 = stablehlo.constant dense<7> : tensor<i32>
    %5 = stablehlo.add %c_3, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<-1> : tensor<i32>
    %6 = stablehlo.select %4, %5, %c_5 : tensor<i1>, tensor<i32>
    %7 = stablehlo.dynamic_slice %0, %3, %6, sizes = [4, 7] : (tensor<5x7xf8E5M2FNUZ>, tensor<i32>, tensor<i32>) -> tensor<4x7xf8E5M2FNUZ>
    %8 = stablehlo.sqrt %7 : tensor<4x7xf8E5M2FNUZ>
    %cst_6 = stablehlo.constant dense<-5.734400e+04> : tensor<f8E5M2FNUZ>
    %9 = stablehlo.pad %0, %cst_6, low = [0, -2], high = [0, 3], interior = [0, 0] : (tensor<5x7xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<5x8xf8E5M2FNUZ>
    %10 = stablehlo.concatenate %9, %arg2, %cst, dim = 1 : (tensor<5x8xf8E5M2FNUZ>, tensor<5x5xf8E5M2FNUZ>, tensor<5x2xf8E5M2FNUZ>) -> tensor<5x15xf8E5M2FNUZ>
    %cst_7 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %11 = stablehlo.reduce(%arg3 init: %cst_7) applies stablehlo.maximum across dimensions = [1] : (tensor<1x17x9xf64>, tensor<f64>) -> tensor<1x9xf64>
    %cst_8 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<1x9xf64>
    %13 = stablehlo.maximum %12, %11 : tensor<1x9xf64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 2] : (tensor<1x9xf64>) -> tensor<1x1x9xf64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x9xf64>) -> tensor<1x17x9xf64>
    %16 = stablehlo.subtract %arg3, %15 : tensor<1x17x9xf64>
    %17 = stablehlo.exponential %16 : tensor<1x17x9xf64>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %18 = stablehlo.reduce(%17 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<1x17x9xf64>, tensor<f64>) -> tensor<1x9xf64>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<1x9xf64>) -> tensor<1x1x9xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x9xf64>) -> tensor<1x17x9xf64>
    %21 = stablehlo.divide %17, %20 : tensor<1x17x9xf64>
    %22 = stablehlo.reshape %21 : (tensor<1x17x9xf64>) -> tensor<3x1x51xf64>
    return %8, %10, %22 : tensor<4x7xf8E5M2FNUZ>, tensor<5x15xf8E5M2FNUZ>, tensor<3x1x51xf64>
  }
}
