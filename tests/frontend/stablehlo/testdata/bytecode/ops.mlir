// Every op that StableHLO has had since 0.9.0, with the attributes of that version.
module @ops attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @elementwise(%x: tensor<2x3xf32> {jax.buffer_donor = true, mhlo.sharding = "{replicated}"}, %i: tensor<2x3xi32>, %p: tensor<2x3xi1>, %c: tensor<2x3xcomplex<f32>>) -> (tensor<2x3xf32> {jax.result_info = "result"}, tensor<2x3xi32>) {
    %0 = stablehlo.abs %x : tensor<2x3xf32>
    %1 = stablehlo.add %x, %0 {mhlo.frontend_attributes = {a = "b", n = "1"}} : tensor<2x3xf32> loc("named"("file.py":3:14))
    %2 = stablehlo.and %i, %i : tensor<2x3xi32> loc(fused["a", "file.py":7:1])
    %3 = stablehlo.atan2 %x, %1 : tensor<2x3xf32> loc(callsite("inner"("a.py":1:2) at "b.py":3:4))
    %4 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %5 = stablehlo.cbrt %x : tensor<2x3xf32>
    %6 = stablehlo.ceil %x : tensor<2x3xf32>
    %7 = stablehlo.clamp %x, %1, %3 : tensor<2x3xf32>
    %8 = stablehlo.compare GT, %x, %1, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %9 = stablehlo.compare NE, %i, %4 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %10 = stablehlo.complex %x, %1 : tensor<2x3xcomplex<f32>>
    %11 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %12 = stablehlo.cosine %x : tensor<2x3xf32>
    %13 = stablehlo.count_leading_zeros %i : tensor<2x3xi32>
    %14 = stablehlo.divide %x, %1 : tensor<2x3xf32>
    %15 = stablehlo.exponential %x : tensor<2x3xf32>
    %16 = stablehlo.exponential_minus_one %x : tensor<2x3xf32>
    %17 = stablehlo.floor %x : tensor<2x3xf32>
    %18 = stablehlo.imag %c : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %19 = stablehlo.is_finite %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %20 = stablehlo.log %x : tensor<2x3xf32>
    %21 = stablehlo.log_plus_one %x : tensor<2x3xf32>
    %22 = stablehlo.logistic %x : tensor<2x3xf32>
    %23 = stablehlo.maximum %x, %1 : tensor<2x3xf32>
    %24 = stablehlo.minimum %x, %1 : tensor<2x3xf32>
    %25 = stablehlo.multiply %x, %1 : tensor<2x3xf32>
    %26 = stablehlo.negate %x : tensor<2x3xf32>
    %27 = stablehlo.not %p : tensor<2x3xi1>
    %28 = stablehlo.or %p, %8 : tensor<2x3xi1>
    %29 = stablehlo.popcnt %i : tensor<2x3xi32>
    %30 = stablehlo.power %x, %1 : tensor<2x3xf32>
    %31 = stablehlo.real %c : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %32 = stablehlo.remainder %x, %1 : tensor<2x3xf32>
    %33 = stablehlo.round_nearest_afz %x : tensor<2x3xf32>
    %34 = stablehlo.round_nearest_even %x : tensor<2x3xf32>
    %35 = stablehlo.rsqrt %x : tensor<2x3xf32>
    %36 = stablehlo.select %p, %x, %1 : tensor<2x3xi1>, tensor<2x3xf32>
    %37 = stablehlo.shift_left %i, %2 : tensor<2x3xi32>
    %38 = stablehlo.shift_right_arithmetic %i, %2 : tensor<2x3xi32>
    %39 = stablehlo.shift_right_logical %i, %2 : tensor<2x3xi32>
    %40 = stablehlo.sign %x : tensor<2x3xf32>
    %41 = stablehlo.sine %x : tensor<2x3xf32>
    %42 = stablehlo.sqrt %x : tensor<2x3xf32>
    %43 = stablehlo.subtract %x, %1 : tensor<2x3xf32>
    %44 = stablehlo.tanh %x : tensor<2x3xf32>
    %45 = stablehlo.xor %p, %8 : tensor<2x3xi1>
    %46 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2x3xf32>
    return %1, %2 : tensor<2x3xf32>, tensor<2x3xi32>
  }
  func.func private @constants() {
    %0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %1 = stablehlo.constant dense<true> : tensor<12xi1>
    %2 = stablehlo.constant dense<[true, false, true, true, false, true, true, false, true, true]> : tensor<10xi1>
    %3 = stablehlo.constant dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    %4 = stablehlo.constant dense<7> : tensor<2x3xui8>
    %5 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
    %6 = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
    %7 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
    %8 = stablehlo.constant dense<[(1.0, -2.0), (0.5, 0.25)]> : tensor<2xcomplex<f64>>
    %9 = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xbf16>
    %10 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf16>
    %12 = stablehlo.constant dense<[1.0e300, 2.0]> : tensor<2xf64>
    %13 = stablehlo.constant dense<> : tensor<0x3xf32>
    %14 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %15 = stablehlo.constant dense<[-1, 2]> : tensor<2xi16>
    %16 = stablehlo.constant dense<[1, 2]> : tensor<2xui16>
    %17 = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
    %18 = stablehlo.constant dense<[-1, 2]> : tensor<2xi8>
    %19 = stablehlo.constant dense<[-1, 2]> : tensor<2xi64>
    %20 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
    %21 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E5M2>
    %22 = stablehlo.constant dense<false> : tensor<i1>
    return
  }
  func.func private @shapes(%x: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<i32>, %d: tensor<2xi32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast %s, sizes = [2, 3] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.concatenate %x, %0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %3 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %4 = stablehlo.dynamic_update_slice %x, %3, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %5 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %6 = stablehlo.pad %x, %s, low = [1, 0], high = [0, -1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    %7 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
    %8 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
    %9 = stablehlo.slice %x [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %10 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %11 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    %12 = stablehlo.tuple %x, %s : tuple<tensor<2x3xf32>, tensor<f32>>
    %13 = stablehlo.get_tuple_element %12[1] : (tuple<tensor<2x3xf32>, tensor<f32>>) -> tensor<f32>
    %14:2 = stablehlo.optimization_barrier %x, %s : tensor<2x3xf32>, tensor<f32>
    %15 = stablehlo.set_dimension_size %x, %i, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
    %16 = stablehlo.dynamic_broadcast_in_dim %s, %d, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %17 = "stablehlo.dynamic_broadcast_in_dim"(%x, %d) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %18 = stablehlo.dynamic_iota %d, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
    %19 = stablehlo.dynamic_pad %x, %s, %d, %d, %d : (tensor<2x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %20 = stablehlo.dynamic_reshape %x, %d : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %21 = stablehlo.real_dynamic_slice %x, %d, %d, %d : (tensor<2x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %x : tensor<2x3xf32>
  }
  func.func private @products(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %img: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x8xf32>, %b: tensor<5x2x3xf32>, %cx: tensor<4x4xcomplex<f32>>, %m: tensor<3x3xf32>, %pad: tensor<2x2xi32>) -> tensor<2x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGH, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.dot_general %b, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<5x2x3xf32>, tensor<5x2x3xf32>) -> tensor<5x2x2xf32>
    %2 = stablehlo.dot_general %x, %x, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2x3xf32>
    %3 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %4 = stablehlo.convolution(%img, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x3x8xf32>
    %5 = stablehlo.convolution(%img, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
    %6 = "stablehlo.dynamic_conv"(%img, %k, %pad) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, tensor<2x2xi32>) -> tensor<1x?x?x8xf32>
    %7 = stablehlo.cholesky %m, lower = true : tensor<3x3xf32>
    %8 = stablehlo.cholesky %m : tensor<3x3xf32>
    %9 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %10 = stablehlo.fft %cx, type = IFFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %11 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %12 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @normalization(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
    %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    %1 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    return %1 : tensor<2x3xf32>
  }
  func.func private @indexing(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>, %i1: tensor<1xi32>, %u: tensor<2x4xf32>, %d: tensor<2xi32>, %src: tensor<1x2xf32>, %s: tensor<f32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %1 = "stablehlo.gather"(%x, %i1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<1x4xf32>
    %2 = "stablehlo.dynamic_gather"(%x, %i, %d) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
    %3 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %4 = "stablehlo.select_and_scatter"(%x, %src, %s) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<1x2xf32>, tensor<f32>) -> tensor<3x4xf32>
    %5 = "stablehlo.torch_index_select"(%x, %d) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
    return %3 : tensor<3x4xf32>
  }
  func.func private @control(%x: tensor<4x6xf32>, %s: tensor<f32>, %i: tensor<i32>, %p: tensor<i1>) -> tensor<6xf32> {
    %0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %1:2 = stablehlo.reduce(%x init: %s), (%x init: %s) across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %9 = stablehlo.add %a, %s : tensor<f32>
      stablehlo.return %9, %d : tensor<f32>, tensor<f32>
    }
    %2 = "stablehlo.reduce_window"(%x, %s) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x4xf32>
    %3 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
    %4:2 = "stablehlo.sort"(%x, %x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %9 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    %5 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %7:2 = stablehlo.while(%a = %i, %b = %0) : tensor<i32>, tensor<6xf32>
    cond {
      %9 = stablehlo.compare LT, %a, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = stablehlo.add %a, %i : tensor<i32>
      %10 = "stablehlo.if"(%p) ({
        stablehlo.return %b : tensor<6xf32>
      }, {
        %11 = stablehlo.add %b, %b : tensor<6xf32>
        stablehlo.return %11 : tensor<6xf32>
      }) : (tensor<i1>) -> tensor<6xf32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<6xf32>
    }
    %8 = "stablehlo.case"(%i) ({
      stablehlo.return %s : tensor<f32>
    }, {
      stablehlo.return %s : tensor<f32>
    }, {
      stablehlo.return %1#0 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %12 = func.call @control(%x, %s, %i, %p) : (tensor<4x6xf32>, tensor<f32>, tensor<i32>, tensor<i1>) -> tensor<6xf32>
    return %7#1 : tensor<6xf32>
  }
  func.func private @communication(%x: tensor<2x4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
    %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %20 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %3 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %20 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %4 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %6 = stablehlo.create_token : !stablehlo.token
    %7 = stablehlo.after_all %t, %6 : !stablehlo.token
    %8:3 = "stablehlo.infeed"(%7) <{infeed_config = "config", layout = [[0, 1], [0]]}> : (!stablehlo.token) -> (tensor<2x4xf32>, tensor<3xi32>, !stablehlo.token)
    %9 = "stablehlo.outfeed"(%x, %8#2) : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
    %10 = "stablehlo.send"(%x, %9) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>, is_host_transfer = true}> : (tensor<2x4xf32>, !stablehlo.token) -> !stablehlo.token
    %11:2 = "stablehlo.recv"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x4xf32>, !stablehlo.token)
    %12 = stablehlo.partition_id : tensor<ui32>
    %13 = stablehlo.replica_id : tensor<ui32>
    return %11#1 : !stablehlo.token
  }
  func.func private @others(%x: tensor<2x4xf32>, %key: tensor<2xui64>, %s: tensor<f32>, %d: tensor<2xi64>) -> (tensor<2x4xf32>, tensor<2x4xf32>) attributes {some.attribute = 3 : i32} {
    %0 = stablehlo.custom_call @foo(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1:2 = stablehlo.custom_call @bar(%x) {api_version = 2 : i32, backend_config = "conf", called_computations = [@others], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<f32>)
    %2 = stablehlo.custom_call @baz(%x) {api_version = 3 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.rng %s, %s, %d, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
    %4, %5 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x4xui32>)
    return %0, %2 : tensor<2x4xf32>, tensor<2x4xf32>
  }
}
