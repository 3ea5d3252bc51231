module @m {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>, %arg3: tensor<4xi1>) -> tensor<4xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<4xf32>
    %1 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    %2 = stablehlo.exponential %arg0 {foo = 3 : i32, result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    %3 = stablehlo.compare LT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %4 = stablehlo.compare LT, %arg0, %arg1, FLOAT {"a b" = @foo, x = 1.500000e+00 : f64, y = [1, 2.000000e+00, {a = 1 : i64}]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %5 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
    %6 = "stablehlo.sort"(%arg0) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %18 = stablehlo.compare LT, %arg4, %arg5 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %cst = stablehlo.constant dense<[1.500000e+00, 2.093750e+00]> : tensor<2xbf16>
    %cst_1 = stablehlo.constant dense<(1.500000e+00,1.000000e-01)> : tensor<complex<f32>>
    %cst_2 = stablehlo.constant dense<> : tensor<0x2xf64>
    %7 = stablehlo.after_all  : !stablehlo.token
    %8 = stablehlo.create_token : !stablehlo.token
    %9 = stablehlo.after_all %7, %8 : !stablehlo.token
    %10:2 = stablehlo.custom_call @"foo bar"(%arg0) {backend_config = "x\22\\\0A", operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %11 = stablehlo.custom_call @foo(%arg0) {api_version = 4 : i32, backend_config = {a = 1 : i64}, called_computations = [@f]} : (tensor<4xf32>) -> tensor<4xf32>
    %12 = stablehlo.select %arg3, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
    %13 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4xf32>
    %14 = stablehlo.reduce(%arg0 init: %5) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %15:2 = stablehlo.reduce(%arg0 init: %5), (%arg1 init: %5) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<f32>, %arg7: tensor<f32>)  {
      %18 = stablehlo.add %arg4, %arg6 : tensor<f32>
      stablehlo.return %18, %arg5 : tensor<f32>, tensor<f32>
    }
    %16:2 = stablehlo.while(%iterArg = %arg2, %iterArg_4 = %arg0) : tensor<i32>, tensor<4xf32> attributes {foo = 1 : i64}
    cond {
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_4 : tensor<i32>, tensor<4xf32>
    }
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<1x1x1xf32>
    %17 = stablehlo.convolution(%cst_3, %cst_3) dim_numbers = [0, b, f]x[o, 0, i]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @f(tensor<4xf32>) -> tensor<4xf32>
}
