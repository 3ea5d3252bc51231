module @jit_function attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1xf16>, %arg1: tensor<1x1xf16>, %arg2: tensor<ui8>, %arg3: tensor<ui8>, %arg4: tensor<3x1x17xf16>, %arg5: tensor<5x1x17xf16>, %arg6: tensor<7x3x2xf16>, %arg7: tensor<7x2x2x3xf16>) -> (tensor<1x1xf16> {jax.result_info = "result[0]"}, tensor<2xui64> {jax.result_info = "result[1]"}, tensor<3x2x7xui8> {jax.result_info = "result[2]"}, tensor<8x1x17xf16> {jax.result_info = "result[3]"}, tensor<2x2x2xi1> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[3730707699367760009, 1353303943391539994]> : tensor<2xui64>
    %0 = stablehlo.atan2 %arg0, %arg1 : tensor<1x1xf16>
    %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2x7xui8>)
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<ui8>) -> tensor<3x2x7xui8>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui8>) -> tensor<3x2x7xui8>
    %3 = stablehlo.clamp %1, %output, %2 : tensor<3x2x7xui8>
    %4 = stablehlo.concatenate %arg5, %arg4, dim = 0 : (tensor<5x1x17xf16>, tensor<3x1x17xf16>) -> tensor<8x1x17xf16>
    %5 = stablehlo.dot_general %arg6, %arg7, contracting_dims = [1, 0] x [3, 0], precision = [DEFAULT, DEFAULT] : (tensor<7x3x2xf16>, tensor<7x2x2x3xf16>) -> tensor<2x2x2xf16>
    %6 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<2x2x2xf16>, tensor<2x2x2xf16>) -> tensor<2x2x2xi1>
    return %0, %output_state, %3, %4, %6 : tensor<1x1xf16>, tensor<2xui64>, tensor<3x2x7xui8>, tensor<8x1x17xf16>, tensor<2x2x2xi1>
  }
}
