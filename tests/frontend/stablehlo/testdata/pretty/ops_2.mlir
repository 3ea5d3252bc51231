module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%arg0: tensor<4x4xf32> {jax.buffer_donor = true}, %arg1: tensor<4x4xf32> {mhlo.sharding = "{replicated}", "x.y z"}, %arg2: tensor<i32>, %arg3: tensor<4x4xi1>, %arg4: tensor<2xi32>, %arg5: tensor<?x4xf32>, %arg6: tensor<4xcomplex<f32>>, %arg7: tensor<f32>, %arg8: tuple<tensor<f32>, tuple<tensor<i32>>>, %arg9: tensor<2xui64>) -> (tensor<f32> {jax.result_info = "x"}, tensor<4x4xf32>) attributes {foo.bar = 3 : i64, llvm.emit} {
    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
    %1 = stablehlo.dynamic_iota %arg4, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg4, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
    %4 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %5 = stablehlo.slice %arg0 [0:3, 1:4:2] : (tensor<4x4xf32>) -> tensor<3x2xf32>
    %6 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %7 = stablehlo.dynamic_update_slice %arg0, %6, %arg2, %arg2 : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %8 = stablehlo.pad %arg0, %arg7, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %9 = stablehlo.reduce_precision %arg0, format = e8m10 : tensor<4x4xf32>
    %10 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x4xf32>) -> tensor<i32>
    %11 = stablehlo.set_dimension_size %arg0, %arg2, dim = 1 : (tensor<4x4xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 4>>
    %12 = stablehlo.dot %arg0, %arg1, precision = [DEFAULT, HIGH] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %13 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %14 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4x4x4xf32>
    %15 = stablehlo.cholesky %arg0 : tensor<4x4xf32>
    %16 = stablehlo.cholesky %arg0 : tensor<4x4xf32>
    %17 = stablehlo.fft %arg6, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %18 = stablehlo.rng %arg7, %arg7, %arg4, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %output_state, %output = stablehlo.rng_bit_generator %arg9, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %19 = stablehlo.tuple %arg7, %arg7 : tuple<tensor<f32>, tensor<f32>>
    %20 = stablehlo.get_tuple_element %arg8[1] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
    %21 = stablehlo.composite "my.op" %arg0 {composite_attributes = {x = 1 : i64}, decomposition = @f} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %22 = stablehlo.composite "my.op" %arg0 {decomposition = @f, version = 2 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %23:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32>
    %24 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %25 = stablehlo.complex %arg0, %arg0 : tensor<4x4xcomplex<f32>>
    %26 = stablehlo.real %25 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %27 = stablehlo.is_finite %arg0 : (tensor<4x4xf32>) -> tensor<4x4xi1>
    %28 = stablehlo.select %arg3, %arg0, %arg5 : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
    %29 = stablehlo.clamp %arg7, %arg0, %arg7 : (tensor<f32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %30 = chlo.erf %arg0 : tensor<4x4xf32> -> tensor<4x4xf32>
    %31 = chlo.next_after %arg0, %arg1 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
    %32 = chlo.broadcast_add %arg0, %arg7 : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %33 = chlo.broadcast_compare %arg0, %arg7 {broadcast_dimensions = array<i64>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xi1>
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x4xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %34 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %35 = chlo.is_inf %arg0 : tensor<4x4xf32> -> tensor<4x4xi1>
    %36 = chlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.bitcast_convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4xi32>
    %38 = stablehlo.real_dynamic_slice %arg0, %arg4, %arg4, %arg4 : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %39 = stablehlo.dynamic_pad %arg0, %arg7, %arg4, %arg4, %arg4 : (tensor<4x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %40 = stablehlo.dynamic_reshape %arg0, %arg4 : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %41 = stablehlo.replica_id : tensor<ui32>
    %42 = stablehlo.partition_id : tensor<ui32>
    %43 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %44 = stablehlo.reverse %arg0, dims = [] : tensor<4x4xf32>
    %45 = stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<4x4xf32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %46 = "stablehlo.if"(%c) ({
      stablehlo.return %arg0 : tensor<4x4xf32>
    }, {
      stablehlo.return %arg1 : tensor<4x4xf32>
    }) : (tensor<i1>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
    %47 = stablehlo.convolution(%cst, %cst) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [1, 0]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x1xf32>
    %48 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %49 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %50 = stablehlo.convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4xf16>
    %51 = stablehlo.add %arg0, %arg5 : (tensor<4x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
    %52 = stablehlo.reduce(%arg0 init: %arg7) across dimensions = [0, 1] {foo = 2 : i64} : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg10: tensor<f32>, %arg11: tensor<f32>)  {
      %55 = stablehlo.add %arg11, %arg10 : tensor<f32>
      stablehlo.return %55 : tensor<f32>
    }
    %53 = stablehlo.reduce(%arg0 init: %arg7) applies stablehlo.maximum across dimensions = [0, 1] {foo = 2 : i64} : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.while()
    cond {
      %c_0 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_0 : tensor<i1>
    } do {
      stablehlo.return 
    }
    call @g() : () -> ()
    %54 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %55 = stablehlo.maximum %arg10, %arg11 {foo = 1 : i64} : tensor<f32>
      stablehlo.return %55 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %arg7, %arg0 : tensor<f32>, tensor<4x4xf32>
  }
  func.func private @f(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    return %arg0 : tensor<4x4xf32>
  }
  func.func private @g() {
    return
  }
  func.func public @"g h"() -> (tensor<f32> {a.b = 9.99999971E-10 : f32}) {
    %cst = stablehlo.constant {foo = 1 : i64} dense<0.333333313> : tensor<f32>
    %cst_0 = stablehlo.constant dense<[1.000000e-01, 1.000000e-10, 0x4CEB79A3, 3.400000e+38, 1.000000e+20, -0.000000e+00, 0x7FC00000, 0xFF800000, 1.17549435E-38, 1.401300e-45, 0x4B800000, 0.707106769]> : tensor<12xf32>
    %cst_1 = stablehlo.constant dense<[1.000000e-01, 1.000000e-10, 0x419D6F3454000000, 1.700000e+308, 1.000000e+20, -0.000000e+00, 0x7FF8000000000000, 1.1754943499999998E-308, 4.940660e-324, 0x4170000000000000, 0.70710678118654757, 0.001234567890123]> : tensor<12xf64>
    %cst_2 = stablehlo.constant dense<[9.997550e-02, 0.000000e+00, 5.960460e-08, 6.550400e+04, 0x7E00]> : tensor<5xf16>
    %cst_3 = stablehlo.constant dense<[1.015630e-01, 1.500000e+00, 4.480000e+02, 0x7F, 1.953130e-03]> : tensor<5xf8E4M3FN>
    return %cst : tensor<f32>
  }
}
