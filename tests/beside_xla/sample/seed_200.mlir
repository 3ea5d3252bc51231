module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x2x7xi32>, %arg1: tensor<16xi32>, %arg2: tensor<32xf32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<3x32xf32>) -> (tensor<32xf32> {jax.result_info = "result[0]"}, tensor<36xf32> {jax.result_info = "result[1]"}, tensor<16x2x7xf32> {jax.result_info = "result[2]"}, tensor<8xi32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<16xi32>, tensor<16xi32>) -> tensor<32xi32>
    %1 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %3 = call @_where(%1, %2, %arg2) : (tensor<32xi1>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %4:2 = "stablehlo.sort"(%0, %3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %13 = stablehlo.compare GT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %14 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.compare LT, %arg8, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %16 = stablehlo.and %14, %15 : tensor<i1>
      %17 = stablehlo.or %13, %16 : tensor<i1>
      stablehlo.return %17 : tensor<i1>
    }) : (tensor<32xi32>, tensor<32xf32>) -> (tensor<32xi32>, tensor<32xf32>)
    %5 = stablehlo.pad %arg2, %arg3, low = [2], high = [2], interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<36xf32>
    %6 = stablehlo.popcnt %arg0 : tensor<16x2x7xi32>
    %7 = stablehlo.negate %6 : tensor<16x2x7xi32>
    %8 = stablehlo.convert %7 : (tensor<16x2x7xi32>) -> tensor<16x2x7xf32>
    %9 = stablehlo.multiply %arg4, %arg4 : tensor<i32>
    %10 = stablehlo.multiply %9, %9 : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x32xf32>, tensor<32xf32>) -> tensor<3xf32>
    return %4#1, %5, %8, %11, %12 : tensor<32xf32>, tensor<36xf32>, tensor<16x2x7xf32>, tensor<8xi32>, tensor<3xf32>
  }
  func.func private @_where(%arg0: tensor<32xi1>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<32xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<32xi1>, tensor<32xf32>
    return %0 : tensor<32xf32>
  }
}
