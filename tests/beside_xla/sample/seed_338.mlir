module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x4xf64>, %arg1: tensor<1x5x4xf64>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<1x3x4xf64>, %arg6: tensor<i1>, %arg7: tensor<1x5xi64>, %arg8: tensor<f32>, %arg9: tensor<i64>, %arg10: tensor<i64>, %arg11: tensor<i64>, %arg12: tensor<8x1xcomplex<f32>>) -> (tensor<1x5xi64> {jax.result_info = "result[0]"}, tensor<1x5xi64> {jax.result_info = "result[1]"}, tensor<1x4x2xf64> {jax.result_info = "result[2]"}, tensor<8x1xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<1x5x4xf64> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[7.6763197807638666E-4, 6.1934609304060788E-4, 6.8177318515631042E-4, 0.0023434421425575398], [-9.6545389747095499E-4, 0.0016673965804798866, 0.0014089156674477105, 6.6828163541717326E-4], [0.0012434764724657587, 1.4751302687804271E-5, 0.0015610330986624745, 4.0723472047124671E-4], [8.3973520094196243E-5, -9.4736570840717095E-4, 0.0025482822159949765, 5.9092811266051464E-5], [2.4612892264830311E-4, -0.0010057719864280882, -0.0011587693805946986, 0.0020037357196723495]]]> : tensor<1x5x4xf64>
    %0 = stablehlo.reshape %arg0 : (tensor<1x5x4xf64>) -> tensor<5x4xf64>
    %1 = stablehlo.slice %0 [0:1, 0:4] : (tensor<5x4xf64>) -> tensor<1x4xf64>
    %2 = stablehlo.reshape %1 : (tensor<1x4xf64>) -> tensor<4xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %7:7 = stablehlo.while(%iterArg = %0, %iterArg_23 = %c, %iterArg_24 = %2, %iterArg_25 = %3, %iterArg_26 = %4, %iterArg_27 = %5, %iterArg_28 = %6) : tensor<5x4xf64>, tensor<i64>, tensor<4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>
    cond {
      %c_29 = stablehlo.constant dense<5> : tensor<i64>
      %44 = stablehlo.compare LT, %iterArg_23, %c_29, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %44 : tensor<i1>
    } do {
      %44 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_23) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %45:5 = func.call @closed_call(%iterArg_24, %44) : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
      %46 = func.call @dynamic_update_index_in_dim(%iterArg_25, %45#1, %iterArg_23) : (tensor<5x4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<5x4xf64>
      %47 = func.call @dynamic_update_index_in_dim(%iterArg_26, %45#2, %iterArg_23) : (tensor<5x4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<5x4xf64>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_27, %45#3, %iterArg_23) : (tensor<5x4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<5x4xf64>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_28, %45#4, %iterArg_23) : (tensor<5x4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<5x4xf64>
      %c_29 = stablehlo.constant dense<1> : tensor<i64>
      %50 = stablehlo.add %iterArg_23, %c_29 : tensor<i64>
      stablehlo.return %iterArg, %50, %45#0, %46, %47, %48, %49 : tensor<5x4xf64>, tensor<i64>, tensor<4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>
    }
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.reduce(%7#3 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %c_8 = stablehlo.constant dense<0> : tensor<i64>
    %12:8 = stablehlo.while(%iterArg = %9, %iterArg_23 = %7#4, %iterArg_24 = %7#5, %iterArg_25 = %0, %iterArg_26 = %7#6, %iterArg_27 = %c_8, %iterArg_28 = %10, %iterArg_29 = %11) : tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<i64>, tensor<4xf64>, tensor<5x4xf64>
    cond {
      %c_30 = stablehlo.constant dense<5> : tensor<i64>
      %44 = stablehlo.compare LT, %iterArg_27, %c_30, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %44 : tensor<i1>
    } do {
      %c_30 = stablehlo.constant dense<5> : tensor<i64>
      %44 = stablehlo.subtract %c_30, %iterArg_27 : tensor<i64>
      %c_31 = stablehlo.constant dense<1> : tensor<i64>
      %45 = stablehlo.subtract %44, %c_31 : tensor<i64>
      %46 = func.call @dynamic_index_in_dim(%iterArg, %45) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %47 = func.call @dynamic_index_in_dim(%iterArg_23, %45) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %48 = func.call @dynamic_index_in_dim(%iterArg_24, %45) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %49 = func.call @dynamic_index_in_dim(%iterArg_25, %45) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %50 = func.call @dynamic_index_in_dim(%iterArg_26, %45) : (tensor<5x4xf64>, tensor<i64>) -> tensor<4xf64>
      %51:2 = func.call @closed_call_0(%iterArg_28, %46, %47, %48, %49, %50) : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
      %52 = func.call @dynamic_update_index_in_dim(%iterArg_29, %51#1, %45) : (tensor<5x4xf64>, tensor<4xf64>, tensor<i64>) -> tensor<5x4xf64>
      %c_32 = stablehlo.constant dense<1> : tensor<i64>
      %53 = stablehlo.add %iterArg_27, %c_32 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %53, %51#0, %52 : tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<i64>, tensor<4xf64>, tensor<5x4xf64>
    }
    %13 = stablehlo.broadcast_in_dim %12#6, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.pad %13, %cst_9, low = [0, 0], high = [4, 0], interior = [0, 0] : (tensor<1x4xf64>, tensor<f64>) -> tensor<5x4xf64>
    %15 = stablehlo.add %12#7, %14 : tensor<5x4xf64>
    %16 = stablehlo.reshape %15 : (tensor<5x4xf64>) -> tensor<1x5x4xf64>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %arg2, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.add %arg2, %c_11 : tensor<i32>
    %19 = stablehlo.select %17, %18, %arg2 : tensor<i1>, tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %arg3, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_13 = stablehlo.constant dense<5> : tensor<i32>
    %21 = stablehlo.add %arg3, %c_13 : tensor<i32>
    %22 = stablehlo.select %20, %21, %arg3 : tensor<i1>, tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.compare LT, %arg4, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %24 = stablehlo.add %arg4, %c_15 : tensor<i32>
    %25 = stablehlo.select %23, %24, %arg4 : tensor<i1>, tensor<i32>
    %26 = stablehlo.dynamic_update_slice %16, %arg5, %19, %22, %25 : (tensor<1x5x4xf64>, tensor<1x3x4xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x5x4xf64>
    %27 = stablehlo.log_plus_one %26 : tensor<1x5x4xf64>
    %28 = call @argmax(%27) : (tensor<1x5x4xf64>) -> tensor<1x5xi64>
    %29 = stablehlo.convert %arg6 : (tensor<i1>) -> tensor<i32>
    %30 = "stablehlo.case"(%29) ({
      stablehlo.return %arg7 : tensor<1x5xi64>
    }, {
      %44 = stablehlo.reverse %arg7, dims = [0] : tensor<1x5xi64>
      stablehlo.return %44 : tensor<1x5xi64>
    }) : (tensor<i32>) -> tensor<1x5xi64>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %31:4 = stablehlo.while(%iterArg = %arg8, %iterArg_23 = %c_16, %iterArg_24 = %28, %iterArg_25 = %30) : tensor<f32>, tensor<i32>, tensor<1x5xi64>, tensor<1x5xi64>
    cond {
      %44 = stablehlo.reshape %iterArg_24 : (tensor<1x5xi64>) -> tensor<5xi64>
      %45 = stablehlo.slice %44 [0:1] : (tensor<5xi64>) -> tensor<1xi64>
      %46 = stablehlo.reshape %45 : (tensor<1xi64>) -> tensor<i64>
      %c_26 = stablehlo.constant dense<3> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_23, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %48 = stablehlo.convert %iterArg : (tensor<f32>) -> tensor<i64>
      %49 = stablehlo.compare LT, %46, %48, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %50 = stablehlo.and %47, %49 : tensor<i1>
      stablehlo.return %50 : tensor<i1>
    } do {
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg_23, %c_26 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i64>
      %45 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i64>) -> tensor<1x5xi64>
      %46 = stablehlo.xor %iterArg_24, %45 : tensor<1x5xi64>
      %c_28 = stablehlo.constant dense<1> : tensor<i64>
      %47 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i64>) -> tensor<1x5xi64>
      %48 = stablehlo.xor %iterArg_25, %47 : tensor<1x5xi64>
      %c_29 = stablehlo.constant dense<0> : tensor<i64>
      %49 = stablehlo.reduce(%48 init: %c_29) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x5xi64>, tensor<i64>) -> tensor<i64>
      %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<i64>) -> tensor<1x5xi64>
      %51 = stablehlo.add %46, %50 : tensor<1x5xi64>
      stablehlo.return %iterArg, %44, %iterArg_25, %51 : tensor<f32>, tensor<i32>, tensor<1x5xi64>, tensor<1x5xi64>
    }
    %c_17 = stablehlo.constant dense<0> : tensor<i64>
    %32 = stablehlo.compare LT, %arg9, %c_17, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<1> : tensor<i64>
    %33 = stablehlo.add %arg9, %c_18 : tensor<i64>
    %34 = stablehlo.select %32, %33, %arg9 : tensor<i1>, tensor<i64>
    %c_19 = stablehlo.constant dense<0> : tensor<i64>
    %35 = stablehlo.compare LT, %arg10, %c_19, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_20 = stablehlo.constant dense<5> : tensor<i64>
    %36 = stablehlo.add %arg10, %c_20 : tensor<i64>
    %37 = stablehlo.select %35, %36, %arg10 : tensor<i1>, tensor<i64>
    %c_21 = stablehlo.constant dense<0> : tensor<i64>
    %38 = stablehlo.compare LT, %arg11, %c_21, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c_22 = stablehlo.constant dense<4> : tensor<i64>
    %39 = stablehlo.add %arg11, %c_22 : tensor<i64>
    %40 = stablehlo.select %38, %39, %arg11 : tensor<i1>, tensor<i64>
    %41 = stablehlo.dynamic_slice %16, %34, %37, %40, sizes = [1, 4, 2] : (tensor<1x5x4xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x2xf64>
    %42 = stablehlo.log %arg12 : tensor<8x1xcomplex<f32>>
    %43 = stablehlo.power %27, %cst : tensor<1x5x4xf64>
    return %31#2, %31#3, %41, %42, %43 : tensor<1x5xi64>, tensor<1x5xi64>, tensor<1x4x2xf64>, tensor<8x1xcomplex<f32>>, tensor<1x5x4xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4xf64>, %arg1: tensor<i64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<5x4xf64>, tensor<i64>, tensor<i64>) -> tensor<1x4xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf64>) -> tensor<4xf64>
    return %1 : tensor<4xf64>
  }
  func.func private @closed_call(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf64>
    %1 = stablehlo.tanh %0 : tensor<4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %3 = stablehlo.subtract %2, %1 : tensor<4xf64>
    %4 = stablehlo.multiply %arg0, %arg1 : tensor<4xf64>
    return %1, %4, %1, %3, %arg0 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<i64>) -> tensor<5x4xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<5x4xf64>, tensor<1x4xf64>, tensor<i64>, tensor<i64>) -> tensor<5x4xf64>
    return %1 : tensor<5x4xf64>
  }
  func.func private @closed_call_0(%arg0: tensor<4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4xf64>, %arg5: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
    %0 = stablehlo.multiply %arg5, %arg1 : tensor<4xf64>
    %1 = stablehlo.multiply %arg1, %arg4 : tensor<4xf64>
    %2 = stablehlo.multiply %arg0, %arg3 : tensor<4xf64>
    %3 = stablehlo.multiply %2, %arg2 : tensor<4xf64>
    %4 = stablehlo.add %2, %3 : tensor<4xf64>
    %5 = stablehlo.add %1, %4 : tensor<4xf64>
    %6 = stablehlo.add %0, %4 : tensor<4xf64>
    return %5, %6 : tensor<4xf64>, tensor<4xf64>
  }
  func.func private @argmax(%arg0: tensor<1x5x4xf64>) -> tensor<1x5xi64> {
    %0 = stablehlo.iota dim = 2 : tensor<1x5x4xi64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<1x5x4xf64>, tensor<1x5x4xi64>, tensor<f64>, tensor<i64>) -> (tensor<1x5xf64>, tensor<1x5xi64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<1x5xi64>
  }
}
