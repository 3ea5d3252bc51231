#loc2 = loc("-":2:26)
#loc3 = loc("-":2:52)
#loc4 = loc("-":2:77)
#loc6 = loc("-":4:26)
#loc8 = loc("-":6:26)
#loc10 = loc("-":8:26)
#loc12 = loc("-":10:26)
#loc14 = loc("-":12:26)
#loc17 = loc("-":15:26)
#loc19 = loc("-":17:26)
#loc24 = loc("-":22:27)
#loc26 = loc("-":24:27)
#loc28 = loc("-":26:27)
#loc30 = loc("-":28:27)
"builtin.module"() <{sym_name = "jit_reductions"}> ({
  "func.func"() <{function_type = (tensor<5x6x7xf32>, tensor<5x30xui8>, tensor<4x3xi1>) -> (tensor<5x6xf32>, tensor<6xf32>, tensor<f32>, tensor<6x7xf32>, tensor<5x7xf32>, tensor<5x3xf32>, tensor<7xf32>, tensor<5xui8>, tensor<30xui8>, tensor<4xi1>, tensor<3xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5x6x7xf32> loc("-":2:26), %arg1: tensor<5x30xui8> loc("-":2:52), %arg2: tensor<4x3xi1> loc("-":2:77)):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc5)
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg23: tensor<f32> loc("-":4:26), %arg24: tensor<f32> loc("-":4:26)):
      %36 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc6)
      "stablehlo.return"(%36) : (tensor<f32>) -> () loc(#loc6)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<5x6xf32> loc(#loc6)
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc7)
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg21: tensor<f32> loc("-":6:26), %arg22: tensor<f32> loc("-":6:26)):
      %35 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
      "stablehlo.return"(%35) : (tensor<f32>) -> () loc(#loc8)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<6xf32> loc(#loc8)
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
    %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg19: tensor<f32> loc("-":8:26), %arg20: tensor<f32> loc("-":8:26)):
      %34 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc10)
      "stablehlo.return"(%34) : (tensor<f32>) -> () loc(#loc10)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<f32> loc(#loc10)
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc11)
    %7 = "stablehlo.reduce"(%arg0, %6) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg17: tensor<f32> loc("-":10:26), %arg18: tensor<f32> loc("-":10:26)):
      %33 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%33) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<6x7xf32> loc(#loc12)
    %8 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %9 = "stablehlo.reduce"(%arg0, %8) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg15: tensor<f32> loc("-":12:26), %arg16: tensor<f32> loc("-":12:26)):
      %32 = "stablehlo.minimum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%32) : (tensor<f32>) -> () loc(#loc14)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<5x7xf32> loc(#loc14)
    %10 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 5, 6, 3>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<5x6x7xf32>) -> tensor<5x6x3xf32> loc(#loc15)
    %11 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc16)
    %12 = "stablehlo.reduce"(%10, %11) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg13: tensor<f32> loc("-":15:26), %arg14: tensor<f32> loc("-":15:26)):
      %31 = "stablehlo.multiply"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
      "stablehlo.return"(%31) : (tensor<f32>) -> () loc(#loc17)
    }) : (tensor<5x6x3xf32>, tensor<f32>) -> tensor<5x3xf32> loc(#loc17)
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %14 = "stablehlo.reduce"(%arg0, %13) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg11: tensor<f32> loc("-":17:26), %arg12: tensor<f32> loc("-":17:26)):
      %30 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
      "stablehlo.return"(%30) : (tensor<f32>) -> () loc(#loc19)
    }) : (tensor<5x6x7xf32>, tensor<f32>) -> tensor<7xf32> loc(#loc19)
    %15 = "stablehlo.constant"() <{value = dense<3.000000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc20)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<7xf32> loc(#loc21)
    %17 = "stablehlo.divide"(%14, %16) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32> loc(#loc22)
    %18 = "stablehlo.constant"() <{value = dense<7> : tensor<ui8>}> : () -> tensor<ui8> loc(#loc23)
    %19 = "stablehlo.reduce"(%arg1, %18) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg9: tensor<ui8> loc("-":22:27), %arg10: tensor<ui8> loc("-":22:27)):
      %29 = "stablehlo.xor"(%arg9, %arg10) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8> loc(#loc24)
      "stablehlo.return"(%29) : (tensor<ui8>) -> () loc(#loc24)
    }) : (tensor<5x30xui8>, tensor<ui8>) -> tensor<5xui8> loc(#loc24)
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<ui8>}> : () -> tensor<ui8> loc(#loc25)
    %21 = "stablehlo.reduce"(%arg1, %20) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<ui8> loc("-":24:27), %arg8: tensor<ui8> loc("-":24:27)):
      %28 = "stablehlo.add"(%arg7, %arg8) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8> loc(#loc26)
      "stablehlo.return"(%28) : (tensor<ui8>) -> () loc(#loc26)
    }) : (tensor<5x30xui8>, tensor<ui8>) -> tensor<30xui8> loc(#loc26)
    %22 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1> loc(#loc27)
    %23 = "stablehlo.reduce"(%arg2, %22) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<i1> loc("-":26:27), %arg6: tensor<i1> loc("-":26:27)):
      %27 = "stablehlo.or"(%arg5, %arg6) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc28)
      "stablehlo.return"(%27) : (tensor<i1>) -> () loc(#loc28)
    }) : (tensor<4x3xi1>, tensor<i1>) -> tensor<4xi1> loc(#loc28)
    %24 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1> loc(#loc29)
    %25 = "stablehlo.reduce"(%arg2, %24) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg3: tensor<i1> loc("-":28:27), %arg4: tensor<i1> loc("-":28:27)):
      %26 = "stablehlo.and"(%arg3, %arg4) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc30)
      "stablehlo.return"(%26) : (tensor<i1>) -> () loc(#loc30)
    }) : (tensor<4x3xi1>, tensor<i1>) -> tensor<3xi1> loc(#loc30)
    "func.return"(%1, %3, %5, %7, %9, %12, %17, %19, %21, %23, %25) : (tensor<5x6xf32>, tensor<6xf32>, tensor<f32>, tensor<6x7xf32>, tensor<5x7xf32>, tensor<5x3xf32>, tensor<7xf32>, tensor<5xui8>, tensor<30xui8>, tensor<4xi1>, tensor<3xi1>) -> () loc(#loc31)
  }) : () -> () loc(#loc1)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(#loc)
#loc = loc("-":1:1)
#loc1 = loc("-":2:3)
#loc5 = loc("-":3:12)
#loc7 = loc("-":5:14)
#loc9 = loc("-":7:14)
#loc11 = loc("-":9:14)
#loc13 = loc("-":11:14)
#loc15 = loc("-":13:10)
#loc16 = loc("-":14:14)
#loc18 = loc("-":16:14)
#loc20 = loc("-":18:14)
#loc21 = loc("-":19:10)
#loc22 = loc("-":20:10)
#loc23 = loc("-":21:10)
#loc25 = loc("-":23:12)
#loc27 = loc("-":25:12)
#loc29 = loc("-":27:12)
#loc31 = loc("-":29:5)
