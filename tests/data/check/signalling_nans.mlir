// Signalling NaNs, and other NaNs with a payload, keep their bits where they are only moved, also
// through memory between two kernels. Narrow floats used to be converted to f32 and back there, which
// made them quiet.

// sort F, bitcast_convert UI: moved beside its keys
func.func @sort_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256, 32768, 32640]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xbf16>
  %k = stablehlo.constant dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi32>
  %s:2 = "stablehlo.sort"(%k, %x) ({
  ^bb0(%a: tensor<i32>, %d: tensor<i32>, %e: tensor<bf16>, %f: tensor<bf16>):
    %p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>, tensor<6xbf16>) -> (tensor<6xi32>, tensor<6xbf16>)
  %r = stablehlo.bitcast_convert %s#1 : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32640, 32768, 16256, 32705, 65409, 32641]> : tensor<6xui16>
  func.return
}

// while F, transpose F: carried by a loop
func.func @while_bf16() {
  %c = stablehlo.constant dense<[[32641, 65409, 32705], [16256, 32768, 32640]]> : tensor<2x3xui16>
  %b = stablehlo.optimization_barrier %c : tensor<2x3xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<2x3xui16>) -> tensor<2x3xbf16>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<2x3xbf16>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = stablehlo.reverse %y, dims = [1] : tensor<2x3xbf16>
    stablehlo.return %j, %v : tensor<i32>, tensor<2x3xbf16>
  }
  %t = stablehlo.transpose %w#1, dims = [1, 0] : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  %r = stablehlo.bitcast_convert %t : (tensor<3x2xbf16>) -> tensor<3x2xui16>
  check.expect_eq_const %r, dense<[[32705, 32640], [65409, 32768], [32641, 16256]]> : tensor<3x2xui16>
  func.return
}

// concatenate F, pad F, slice F
func.func @concatenate_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256, 32768, 32640]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xbf16>
  %k = stablehlo.concatenate %x, %y, dim = 0 : (tensor<6xbf16>, tensor<6xbf16>) -> tensor<12xbf16>
  %q = stablehlo.pad %k, %one, low = [-2], high = [1], interior = [0] : (tensor<12xbf16>, tensor<bf16>) -> tensor<11xbf16>
  %m = stablehlo.optimization_barrier %q : tensor<11xbf16>
  %l = stablehlo.slice %m [0:11:2] : (tensor<11xbf16>) -> tensor<6xbf16>
  %r = stablehlo.bitcast_convert %l : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32705, 32768, 32640, 16256, 65409, 16256]> : tensor<6xui16>
  func.return
}

// select F: chosen by an array
func.func @select_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256, 32768, 32640]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xbf16>
  %k = stablehlo.constant dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %p = stablehlo.optimization_barrier %k : tensor<6xi1>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xbf16>
  %s = stablehlo.select %p, %x, %y : tensor<6xi1>, tensor<6xbf16>
  %r = stablehlo.bitcast_convert %s : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32641, 32768, 32705, 32705, 32768, 32641]> : tensor<6xui16>
  func.return
}

// scatter F, gather F: the update replaces
func.func @scatter_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256, 32768, 32640]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xbf16>
  %k = stablehlo.constant dense<[[5], [0], [4], [1], [3], [2]]> : tensor<6x1xi32>
  %i = stablehlo.optimization_barrier %k : tensor<6x1xi32>
  %g = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<6xbf16>, tensor<6x1xi32>) -> tensor<6xbf16>
  %s = "stablehlo.scatter"(%x, %i, %g) ({
  ^bb0(%a: tensor<bf16>, %d: tensor<bf16>):
    stablehlo.return %d : tensor<bf16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<6xbf16>, tensor<6x1xi32>, tensor<6xbf16>) -> tensor<6xbf16>
  %r = stablehlo.bitcast_convert %s : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32641, 65409, 32705, 16256, 32768, 32640]> : tensor<6xui16>
  func.return
}

// bitcast_convert F: from a constant, joined and split
func.func @bitcast_bf16() {
  %c = stablehlo.constant dense<4575797692600516481> : tensor<ui64>
  %b = stablehlo.optimization_barrier %c : tensor<ui64>
  %x = stablehlo.bitcast_convert %b : (tensor<ui64>) -> tensor<4xbf16>
  %y = stablehlo.reverse %x, dims = [0] : tensor<4xbf16>
  %w = stablehlo.bitcast_convert %y : (tensor<4xbf16>) -> tensor<ui64>
  %r = stablehlo.bitcast_convert %w : (tensor<ui64>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[16256, 32705, 65409, 32641]> : tensor<4xui16>
  func.return
}

// sort F, bitcast_convert UI: moved beside its keys
func.func @sort_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360, 32768, 31744]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xf16>
  %k = stablehlo.constant dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi32>
  %s:2 = "stablehlo.sort"(%k, %x) ({
  ^bb0(%a: tensor<i32>, %d: tensor<i32>, %e: tensor<f16>, %f: tensor<f16>):
    %p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>, tensor<6xf16>) -> (tensor<6xi32>, tensor<6xf16>)
  %r = stablehlo.bitcast_convert %s#1 : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[31744, 32768, 15360, 32257, 64853, 32001]> : tensor<6xui16>
  func.return
}

// while F, transpose F: carried by a loop
func.func @while_f16() {
  %c = stablehlo.constant dense<[[32001, 64853, 32257], [15360, 32768, 31744]]> : tensor<2x3xui16>
  %b = stablehlo.optimization_barrier %c : tensor<2x3xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<2x3xui16>) -> tensor<2x3xf16>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<2x3xf16>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = stablehlo.reverse %y, dims = [1] : tensor<2x3xf16>
    stablehlo.return %j, %v : tensor<i32>, tensor<2x3xf16>
  }
  %t = stablehlo.transpose %w#1, dims = [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf16>
  %r = stablehlo.bitcast_convert %t : (tensor<3x2xf16>) -> tensor<3x2xui16>
  check.expect_eq_const %r, dense<[[32257, 31744], [64853, 32768], [32001, 15360]]> : tensor<3x2xui16>
  func.return
}

// concatenate F, pad F, slice F
func.func @concatenate_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360, 32768, 31744]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xf16>
  %one = stablehlo.constant dense<1.0> : tensor<f16>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf16>
  %k = stablehlo.concatenate %x, %y, dim = 0 : (tensor<6xf16>, tensor<6xf16>) -> tensor<12xf16>
  %q = stablehlo.pad %k, %one, low = [-2], high = [1], interior = [0] : (tensor<12xf16>, tensor<f16>) -> tensor<11xf16>
  %m = stablehlo.optimization_barrier %q : tensor<11xf16>
  %l = stablehlo.slice %m [0:11:2] : (tensor<11xf16>) -> tensor<6xf16>
  %r = stablehlo.bitcast_convert %l : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32257, 32768, 31744, 15360, 64853, 15360]> : tensor<6xui16>
  func.return
}

// select F: chosen by an array
func.func @select_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360, 32768, 31744]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xf16>
  %k = stablehlo.constant dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %p = stablehlo.optimization_barrier %k : tensor<6xi1>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf16>
  %s = stablehlo.select %p, %x, %y : tensor<6xi1>, tensor<6xf16>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32001, 32768, 32257, 32257, 32768, 32001]> : tensor<6xui16>
  func.return
}

// scatter F, gather F: the update replaces
func.func @scatter_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360, 32768, 31744]> : tensor<6xui16>
  %b = stablehlo.optimization_barrier %c : tensor<6xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui16>) -> tensor<6xf16>
  %k = stablehlo.constant dense<[[5], [0], [4], [1], [3], [2]]> : tensor<6x1xi32>
  %i = stablehlo.optimization_barrier %k : tensor<6x1xi32>
  %g = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<6xf16>, tensor<6x1xi32>) -> tensor<6xf16>
  %s = "stablehlo.scatter"(%x, %i, %g) ({
  ^bb0(%a: tensor<f16>, %d: tensor<f16>):
    stablehlo.return %d : tensor<f16>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<6xf16>, tensor<6x1xi32>, tensor<6xf16>) -> tensor<6xf16>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %r, dense<[32001, 64853, 32257, 15360, 32768, 31744]> : tensor<6xui16>
  func.return
}

// bitcast_convert F: from a constant, joined and split
func.func @bitcast_f16() {
  %c = stablehlo.constant dense<4323594189285981441> : tensor<ui64>
  %b = stablehlo.optimization_barrier %c : tensor<ui64>
  %x = stablehlo.bitcast_convert %b : (tensor<ui64>) -> tensor<4xf16>
  %y = stablehlo.reverse %x, dims = [0] : tensor<4xf16>
  %w = stablehlo.bitcast_convert %y : (tensor<4xf16>) -> tensor<ui64>
  %r = stablehlo.bitcast_convert %w : (tensor<ui64>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[15360, 32257, 64853, 32001]> : tensor<4xui16>
  func.return
}

// sort F, bitcast_convert UI: moved beside its keys
func.func @sort_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60, 128, 124]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E5M2>
  %k = stablehlo.constant dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi32>
  %s:2 = "stablehlo.sort"(%k, %x) ({
  ^bb0(%a: tensor<i32>, %d: tensor<i32>, %e: tensor<f8E5M2>, %f: tensor<f8E5M2>):
    %p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>, tensor<6xf8E5M2>) -> (tensor<6xi32>, tensor<6xf8E5M2>)
  %r = stablehlo.bitcast_convert %s#1 : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[124, 128, 60, 127, 253, 125]> : tensor<6xui8>
  func.return
}

// while F, transpose F: carried by a loop
func.func @while_f8e5m2() {
  %c = stablehlo.constant dense<[[125, 253, 127], [60, 128, 124]]> : tensor<2x3xui8>
  %b = stablehlo.optimization_barrier %c : tensor<2x3xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<2x3xui8>) -> tensor<2x3xf8E5M2>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<2x3xf8E5M2>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = stablehlo.reverse %y, dims = [1] : tensor<2x3xf8E5M2>
    stablehlo.return %j, %v : tensor<i32>, tensor<2x3xf8E5M2>
  }
  %t = stablehlo.transpose %w#1, dims = [1, 0] : (tensor<2x3xf8E5M2>) -> tensor<3x2xf8E5M2>
  %r = stablehlo.bitcast_convert %t : (tensor<3x2xf8E5M2>) -> tensor<3x2xui8>
  check.expect_eq_const %r, dense<[[127, 124], [253, 128], [125, 60]]> : tensor<3x2xui8>
  func.return
}

// concatenate F, pad F, slice F
func.func @concatenate_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60, 128, 124]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E5M2>
  %one = stablehlo.constant dense<1.0> : tensor<f8E5M2>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf8E5M2>
  %k = stablehlo.concatenate %x, %y, dim = 0 : (tensor<6xf8E5M2>, tensor<6xf8E5M2>) -> tensor<12xf8E5M2>
  %q = stablehlo.pad %k, %one, low = [-2], high = [1], interior = [0] : (tensor<12xf8E5M2>, tensor<f8E5M2>) -> tensor<11xf8E5M2>
  %m = stablehlo.optimization_barrier %q : tensor<11xf8E5M2>
  %l = stablehlo.slice %m [0:11:2] : (tensor<11xf8E5M2>) -> tensor<6xf8E5M2>
  %r = stablehlo.bitcast_convert %l : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[127, 128, 124, 60, 253, 60]> : tensor<6xui8>
  func.return
}

// select F: chosen by an array
func.func @select_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60, 128, 124]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E5M2>
  %k = stablehlo.constant dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %p = stablehlo.optimization_barrier %k : tensor<6xi1>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf8E5M2>
  %s = stablehlo.select %p, %x, %y : tensor<6xi1>, tensor<6xf8E5M2>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[125, 128, 127, 127, 128, 125]> : tensor<6xui8>
  func.return
}

// scatter F, gather F: the update replaces
func.func @scatter_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60, 128, 124]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E5M2>
  %k = stablehlo.constant dense<[[5], [0], [4], [1], [3], [2]]> : tensor<6x1xi32>
  %i = stablehlo.optimization_barrier %k : tensor<6x1xi32>
  %g = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<6xf8E5M2>, tensor<6x1xi32>) -> tensor<6xf8E5M2>
  %s = "stablehlo.scatter"(%x, %i, %g) ({
  ^bb0(%a: tensor<f8E5M2>, %d: tensor<f8E5M2>):
    stablehlo.return %d : tensor<f8E5M2>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<6xf8E5M2>, tensor<6x1xi32>, tensor<6xf8E5M2>) -> tensor<6xf8E5M2>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf8E5M2>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[125, 253, 127, 60, 128, 124]> : tensor<6xui8>
  func.return
}

// bitcast_convert F: from a constant, joined and split
func.func @bitcast_f8e5m2() {
  %c = stablehlo.constant dense<1015020925> : tensor<ui32>
  %b = stablehlo.optimization_barrier %c : tensor<ui32>
  %x = stablehlo.bitcast_convert %b : (tensor<ui32>) -> tensor<4xf8E5M2>
  %y = stablehlo.reverse %x, dims = [0] : tensor<4xf8E5M2>
  %w = stablehlo.bitcast_convert %y : (tensor<4xf8E5M2>) -> tensor<ui32>
  %r = stablehlo.bitcast_convert %w : (tensor<ui32>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[60, 127, 253, 125]> : tensor<4xui8>
  func.return
}

// sort F, bitcast_convert UI: moved beside its keys
func.func @sort_f8e3m4() {
  %c = stablehlo.constant dense<[113, 243, 127, 48, 128, 112]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E3M4>
  %k = stablehlo.constant dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi32>
  %s:2 = "stablehlo.sort"(%k, %x) ({
  ^bb0(%a: tensor<i32>, %d: tensor<i32>, %e: tensor<f8E3M4>, %f: tensor<f8E3M4>):
    %p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xi32>, tensor<6xf8E3M4>) -> (tensor<6xi32>, tensor<6xf8E3M4>)
  %r = stablehlo.bitcast_convert %s#1 : (tensor<6xf8E3M4>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[112, 128, 48, 127, 243, 113]> : tensor<6xui8>
  func.return
}

// while F, transpose F: carried by a loop
func.func @while_f8e3m4() {
  %c = stablehlo.constant dense<[[113, 243, 127], [48, 128, 112]]> : tensor<2x3xui8>
  %b = stablehlo.optimization_barrier %c : tensor<2x3xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<2x3xui8>) -> tensor<2x3xf8E3M4>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<2x3xf8E3M4>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    %v = stablehlo.reverse %y, dims = [1] : tensor<2x3xf8E3M4>
    stablehlo.return %j, %v : tensor<i32>, tensor<2x3xf8E3M4>
  }
  %t = stablehlo.transpose %w#1, dims = [1, 0] : (tensor<2x3xf8E3M4>) -> tensor<3x2xf8E3M4>
  %r = stablehlo.bitcast_convert %t : (tensor<3x2xf8E3M4>) -> tensor<3x2xui8>
  check.expect_eq_const %r, dense<[[127, 112], [243, 128], [113, 48]]> : tensor<3x2xui8>
  func.return
}

// concatenate F, pad F, slice F
func.func @concatenate_f8e3m4() {
  %c = stablehlo.constant dense<[113, 243, 127, 48, 128, 112]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E3M4>
  %one = stablehlo.constant dense<1.0> : tensor<f8E3M4>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf8E3M4>
  %k = stablehlo.concatenate %x, %y, dim = 0 : (tensor<6xf8E3M4>, tensor<6xf8E3M4>) -> tensor<12xf8E3M4>
  %q = stablehlo.pad %k, %one, low = [-2], high = [1], interior = [0] : (tensor<12xf8E3M4>, tensor<f8E3M4>) -> tensor<11xf8E3M4>
  %m = stablehlo.optimization_barrier %q : tensor<11xf8E3M4>
  %l = stablehlo.slice %m [0:11:2] : (tensor<11xf8E3M4>) -> tensor<6xf8E3M4>
  %r = stablehlo.bitcast_convert %l : (tensor<6xf8E3M4>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[127, 128, 112, 48, 243, 48]> : tensor<6xui8>
  func.return
}

// select F: chosen by an array
func.func @select_f8e3m4() {
  %c = stablehlo.constant dense<[113, 243, 127, 48, 128, 112]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E3M4>
  %k = stablehlo.constant dense<[true, false, true, false, true, false]> : tensor<6xi1>
  %p = stablehlo.optimization_barrier %k : tensor<6xi1>
  %y = stablehlo.reverse %x, dims = [0] : tensor<6xf8E3M4>
  %s = stablehlo.select %p, %x, %y : tensor<6xi1>, tensor<6xf8E3M4>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf8E3M4>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[113, 128, 127, 127, 128, 113]> : tensor<6xui8>
  func.return
}

// scatter F, gather F: the update replaces
func.func @scatter_f8e3m4() {
  %c = stablehlo.constant dense<[113, 243, 127, 48, 128, 112]> : tensor<6xui8>
  %b = stablehlo.optimization_barrier %c : tensor<6xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<6xui8>) -> tensor<6xf8E3M4>
  %k = stablehlo.constant dense<[[5], [0], [4], [1], [3], [2]]> : tensor<6x1xi32>
  %i = stablehlo.optimization_barrier %k : tensor<6x1xi32>
  %g = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<6xf8E3M4>, tensor<6x1xi32>) -> tensor<6xf8E3M4>
  %s = "stablehlo.scatter"(%x, %i, %g) ({
  ^bb0(%a: tensor<f8E3M4>, %d: tensor<f8E3M4>):
    stablehlo.return %d : tensor<f8E3M4>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<6xf8E3M4>, tensor<6x1xi32>, tensor<6xf8E3M4>) -> tensor<6xf8E3M4>
  %r = stablehlo.bitcast_convert %s : (tensor<6xf8E3M4>) -> tensor<6xui8>
  check.expect_eq_const %r, dense<[113, 243, 127, 48, 128, 112]> : tensor<6xui8>
  func.return
}

// bitcast_convert F: from a constant, joined and split
func.func @bitcast_f8e3m4() {
  %c = stablehlo.constant dense<813691761> : tensor<ui32>
  %b = stablehlo.optimization_barrier %c : tensor<ui32>
  %x = stablehlo.bitcast_convert %b : (tensor<ui32>) -> tensor<4xf8E3M4>
  %y = stablehlo.reverse %x, dims = [0] : tensor<4xf8E3M4>
  %w = stablehlo.bitcast_convert %y : (tensor<4xf8E3M4>) -> tensor<ui32>
  %r = stablehlo.bitcast_convert %w : (tensor<ui32>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[48, 127, 243, 113]> : tensor<4xui8>
  func.return
}

// concatenate F, multiply F: beside what is computed
func.func @beside_computed_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256]> : tensor<4xui16>
  %b = stablehlo.optimization_barrier %c : tensor<4xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui16>) -> tensor<4xbf16>
  %o = stablehlo.constant dense<1.0> : tensor<4xbf16>
  %q = stablehlo.optimization_barrier %o : tensor<4xbf16>
  %m = stablehlo.multiply %q, %q : tensor<4xbf16>
  %k = stablehlo.concatenate %x, %m, dim = 0 : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<8xbf16>
  %r = stablehlo.bitcast_convert %k : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %r, dense<[32641, 65409, 32705, 16256, 16256, 16256, 16256, 16256]> : tensor<8xui16>
  func.return
}

// select F, multiply F: chosen, or computed
func.func @chosen_or_computed_bf16() {
  %c = stablehlo.constant dense<[32641, 65409, 32705, 16256]> : tensor<4xui16>
  %b = stablehlo.optimization_barrier %c : tensor<4xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui16>) -> tensor<4xbf16>
  %o = stablehlo.constant dense<1.0> : tensor<4xbf16>
  %q = stablehlo.optimization_barrier %o : tensor<4xbf16>
  %m = stablehlo.multiply %q, %q : tensor<4xbf16>
  %k = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
  %p = stablehlo.optimization_barrier %k : tensor<4xi1>
  %s = stablehlo.select %p, %x, %m : tensor<4xi1>, tensor<4xbf16>
  %r = stablehlo.bitcast_convert %s : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[32641, 65409, 32705, 16256]> : tensor<4xui16>
  func.return
}

// concatenate F, multiply F: beside what is computed
func.func @beside_computed_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360]> : tensor<4xui16>
  %b = stablehlo.optimization_barrier %c : tensor<4xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui16>) -> tensor<4xf16>
  %o = stablehlo.constant dense<1.0> : tensor<4xf16>
  %q = stablehlo.optimization_barrier %o : tensor<4xf16>
  %m = stablehlo.multiply %q, %q : tensor<4xf16>
  %k = stablehlo.concatenate %x, %m, dim = 0 : (tensor<4xf16>, tensor<4xf16>) -> tensor<8xf16>
  %r = stablehlo.bitcast_convert %k : (tensor<8xf16>) -> tensor<8xui16>
  check.expect_eq_const %r, dense<[32001, 64853, 32257, 15360, 15360, 15360, 15360, 15360]> : tensor<8xui16>
  func.return
}

// select F, multiply F: chosen, or computed
func.func @chosen_or_computed_f16() {
  %c = stablehlo.constant dense<[32001, 64853, 32257, 15360]> : tensor<4xui16>
  %b = stablehlo.optimization_barrier %c : tensor<4xui16>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui16>) -> tensor<4xf16>
  %o = stablehlo.constant dense<1.0> : tensor<4xf16>
  %q = stablehlo.optimization_barrier %o : tensor<4xf16>
  %m = stablehlo.multiply %q, %q : tensor<4xf16>
  %k = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
  %p = stablehlo.optimization_barrier %k : tensor<4xi1>
  %s = stablehlo.select %p, %x, %m : tensor<4xi1>, tensor<4xf16>
  %r = stablehlo.bitcast_convert %s : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %r, dense<[32001, 64853, 32257, 15360]> : tensor<4xui16>
  func.return
}

// concatenate F, multiply F: beside what is computed
func.func @beside_computed_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60]> : tensor<4xui8>
  %b = stablehlo.optimization_barrier %c : tensor<4xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui8>) -> tensor<4xf8E5M2>
  %o = stablehlo.constant dense<1.0> : tensor<4xf8E5M2>
  %q = stablehlo.optimization_barrier %o : tensor<4xf8E5M2>
  %m = stablehlo.multiply %q, %q : tensor<4xf8E5M2>
  %k = stablehlo.concatenate %x, %m, dim = 0 : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<8xf8E5M2>
  %r = stablehlo.bitcast_convert %k : (tensor<8xf8E5M2>) -> tensor<8xui8>
  check.expect_eq_const %r, dense<[125, 253, 127, 60, 60, 60, 60, 60]> : tensor<8xui8>
  func.return
}

// select F, multiply F: chosen, or computed
func.func @chosen_or_computed_f8e5m2() {
  %c = stablehlo.constant dense<[125, 253, 127, 60]> : tensor<4xui8>
  %b = stablehlo.optimization_barrier %c : tensor<4xui8>
  %x = stablehlo.bitcast_convert %b : (tensor<4xui8>) -> tensor<4xf8E5M2>
  %o = stablehlo.constant dense<1.0> : tensor<4xf8E5M2>
  %q = stablehlo.optimization_barrier %o : tensor<4xf8E5M2>
  %m = stablehlo.multiply %q, %q : tensor<4xf8E5M2>
  %k = stablehlo.constant dense<[true, true, true, false]> : tensor<4xi1>
  %p = stablehlo.optimization_barrier %k : tensor<4xi1>
  %s = stablehlo.select %p, %x, %m : tensor<4xi1>, tensor<4xf8E5M2>
  %r = stablehlo.bitcast_convert %s : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %r, dense<[125, 253, 127, 60]> : tensor<4xui8>
  func.return
}
