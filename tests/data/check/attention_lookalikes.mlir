// Programs that look like attention and are something else, or whose parts are used otherwise. Each is
// compared with itself behind barriers: there the scores are results, which no kernel of attention
// has.

// reduce F, dot_general F: products of softmax's rows with each other
func.func @values_are_weights_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<65536xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %12 = stablehlo.add %10, %11 : tensor<65536xf32>
  %13 = stablehlo.sine %12 : tensor<65536xf32>
  %14 = stablehlo.reshape %13 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %19 = stablehlo.add %17, %18 : tensor<32768xf32>
  %20 = stablehlo.sine %19 : tensor<32768xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %22 = stablehlo.add %20, %21 : tensor<32768xf32>
  %23 = stablehlo.reshape %22 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32768xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %28 = stablehlo.add %26, %27 : tensor<32768xf32>
  %29 = stablehlo.sine %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.reshape %31 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %33 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %34 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1024xf32>
  %36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %39 = stablehlo.subtract %35, %38 : tensor<128x1024xf32>
  %40 = stablehlo.exponential %39 : tensor<128x1024xf32>
  %41 = stablehlo.constant dense<0.0> : tensor<f32>
  %42 = stablehlo.reduce(%40 init: %41) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %44 = stablehlo.divide %40, %43 : tensor<128x1024xf32>
  %45 = stablehlo.dot_general %44, %44, contracting_dims = [1] x [1] : (tensor<128x1024xf32>, tensor<128x1024xf32>) -> tensor<128x128xf32>
  %46 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %47 = stablehlo.optimization_barrier %14 : tensor<1024x64xf32>
  %48 = stablehlo.dot_general %46, %47, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %49 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %50 = stablehlo.multiply %48, %49 : tensor<128x1024xf32>
  %51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %52 = stablehlo.reduce(%50 init: %51) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %54 = stablehlo.subtract %50, %53 : tensor<128x1024xf32>
  %55 = stablehlo.exponential %54 : tensor<128x1024xf32>
  %56 = stablehlo.constant dense<0.0> : tensor<f32>
  %57 = stablehlo.reduce(%55 init: %56) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %59 = stablehlo.divide %55, %58 : tensor<128x1024xf32>
  %60 = stablehlo.optimization_barrier %59 : tensor<128x1024xf32>
  %61 = stablehlo.dot_general %60, %60, contracting_dims = [1] x [1] : (tensor<128x1024xf32>, tensor<128x1024xf32>) -> tensor<128x128xf32>
  %62 = stablehlo.abs %61 : tensor<128x128xf32>
  %63 = stablehlo.constant dense<0.0009765625> : tensor<128x128xf32>
  %64 = stablehlo.maximum %62, %63 : tensor<128x128xf32>
  %65 = stablehlo.subtract %45, %61 : tensor<128x128xf32>
  %66 = stablehlo.divide %65, %64 : tensor<128x128xf32>
  %67 = stablehlo.constant dense<1.0> : tensor<128x128xf32>
  %68 = stablehlo.add %66, %67 : tensor<128x128xf32>
  check.expect_almost_eq_const %68, dense<1.0> : tensor<128x128xf32>, tolerance = 2.00e-05
  return
}

// reduce F, divide F: a divisor that differs from key to key
func.func @divisor_of_keys_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<65536xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %12 = stablehlo.add %10, %11 : tensor<65536xf32>
  %13 = stablehlo.sine %12 : tensor<65536xf32>
  %14 = stablehlo.reshape %13 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %19 = stablehlo.add %17, %18 : tensor<32768xf32>
  %20 = stablehlo.sine %19 : tensor<32768xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %22 = stablehlo.add %20, %21 : tensor<32768xf32>
  %23 = stablehlo.reshape %22 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32768xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %28 = stablehlo.add %26, %27 : tensor<32768xf32>
  %29 = stablehlo.sine %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.reshape %31 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %33 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %34 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1024xf32>
  %36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %39 = stablehlo.subtract %35, %38 : tensor<128x1024xf32>
  %40 = stablehlo.exponential %39 : tensor<128x1024xf32>
  %41 = stablehlo.iota dim = 0 : tensor<128x1024xi32>
  %42 = stablehlo.iota dim = 1 : tensor<128x1024xi32>
  %43 = stablehlo.compare LT, %41, %42 : (tensor<128x1024xi32>, tensor<128x1024xi32>) -> tensor<128x1024xi1>
  %44 = stablehlo.constant dense<0.0> : tensor<f32>
  %45 = stablehlo.reduce(%40 init: %44) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %47 = stablehlo.constant dense<64.0> : tensor<128x1024xf32>
  %48 = stablehlo.select %43, %46, %47 : tensor<128x1024xi1>, tensor<128x1024xf32>
  %49 = stablehlo.divide %40, %48 : tensor<128x1024xf32>
  %50 = stablehlo.dot_general %49, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %51 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %52 = stablehlo.optimization_barrier %14 : tensor<1024x64xf32>
  %53 = stablehlo.dot_general %51, %52, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %54 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %55 = stablehlo.multiply %53, %54 : tensor<128x1024xf32>
  %56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %57 = stablehlo.reduce(%55 init: %56) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %59 = stablehlo.subtract %55, %58 : tensor<128x1024xf32>
  %60 = stablehlo.exponential %59 : tensor<128x1024xf32>
  %61 = stablehlo.optimization_barrier %60 : tensor<128x1024xf32>
  %62 = stablehlo.iota dim = 0 : tensor<128x1024xi32>
  %63 = stablehlo.iota dim = 1 : tensor<128x1024xi32>
  %64 = stablehlo.compare LT, %62, %63 : (tensor<128x1024xi32>, tensor<128x1024xi32>) -> tensor<128x1024xi1>
  %65 = stablehlo.constant dense<0.0> : tensor<f32>
  %66 = stablehlo.reduce(%61 init: %65) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %68 = stablehlo.constant dense<64.0> : tensor<128x1024xf32>
  %69 = stablehlo.select %64, %67, %68 : tensor<128x1024xi1>, tensor<128x1024xf32>
  %70 = stablehlo.divide %61, %69 : tensor<128x1024xf32>
  %71 = stablehlo.dot_general %70, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %72 = stablehlo.abs %71 : tensor<128x32xf32>
  %73 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %74 = stablehlo.maximum %72, %73 : tensor<128x32xf32>
  %75 = stablehlo.subtract %50, %71 : tensor<128x32xf32>
  %76 = stablehlo.divide %75, %74 : tensor<128x32xf32>
  %77 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %78 = stablehlo.add %76, %77 : tensor<128x32xf32>
  check.expect_almost_eq_const %78, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-05
  return
}

// reduce F, sqrt F: weights divided by their norm
func.func @norm_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<65536xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %12 = stablehlo.add %10, %11 : tensor<65536xf32>
  %13 = stablehlo.sine %12 : tensor<65536xf32>
  %14 = stablehlo.reshape %13 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %19 = stablehlo.add %17, %18 : tensor<32768xf32>
  %20 = stablehlo.sine %19 : tensor<32768xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %22 = stablehlo.add %20, %21 : tensor<32768xf32>
  %23 = stablehlo.reshape %22 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32768xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %28 = stablehlo.add %26, %27 : tensor<32768xf32>
  %29 = stablehlo.sine %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.reshape %31 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %33 = stablehlo.iota dim = 1 : tensor<128x1024xf32>
  %34 = stablehlo.constant dense<0.00390625> : tensor<128x1024xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1024xf32>
  %36 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %37 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %38 = stablehlo.multiply %36, %37 : tensor<128x1024xf32>
  %39 = stablehlo.add %38, %35 : tensor<128x1024xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1024xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1024xf32>
  %45 = stablehlo.multiply %44, %44 : tensor<128x1024xf32>
  %46 = stablehlo.constant dense<0.0> : tensor<f32>
  %47 = stablehlo.reduce(%45 init: %46) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %48 = stablehlo.sqrt %47 : tensor<128xf32>
  %49 = stablehlo.constant dense<8.0> : tensor<128xf32>
  %50 = stablehlo.multiply %48, %49 : tensor<128xf32>
  %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %52 = stablehlo.divide %44, %51 : tensor<128x1024xf32>
  %53 = stablehlo.dot_general %52, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %54 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %55 = stablehlo.optimization_barrier %14 : tensor<1024x64xf32>
  %56 = stablehlo.iota dim = 1 : tensor<128x1024xf32>
  %57 = stablehlo.constant dense<0.00390625> : tensor<128x1024xf32>
  %58 = stablehlo.multiply %56, %57 : tensor<128x1024xf32>
  %59 = stablehlo.dot_general %54, %55, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %60 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %61 = stablehlo.multiply %59, %60 : tensor<128x1024xf32>
  %62 = stablehlo.add %61, %58 : tensor<128x1024xf32>
  %63 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %64 = stablehlo.reduce(%62 init: %63) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %66 = stablehlo.subtract %62, %65 : tensor<128x1024xf32>
  %67 = stablehlo.exponential %66 : tensor<128x1024xf32>
  %68 = stablehlo.optimization_barrier %67 : tensor<128x1024xf32>
  %69 = stablehlo.multiply %68, %68 : tensor<128x1024xf32>
  %70 = stablehlo.constant dense<0.0> : tensor<f32>
  %71 = stablehlo.reduce(%69 init: %70) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %72 = stablehlo.sqrt %71 : tensor<128xf32>
  %73 = stablehlo.constant dense<8.0> : tensor<128xf32>
  %74 = stablehlo.multiply %72, %73 : tensor<128xf32>
  %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %76 = stablehlo.divide %68, %75 : tensor<128x1024xf32>
  %77 = stablehlo.dot_general %76, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %78 = stablehlo.abs %77 : tensor<128x32xf32>
  %79 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %80 = stablehlo.maximum %78, %79 : tensor<128x32xf32>
  %81 = stablehlo.subtract %53, %77 : tensor<128x32xf32>
  %82 = stablehlo.divide %81, %80 : tensor<128x32xf32>
  %83 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %84 = stablehlo.add %82, %83 : tensor<128x32xf32>
  check.expect_almost_eq_const %84, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-05
  return
}

// reduce F, add F: a sum of the weights plus a constant, of keys that are not whole blocks
func.func @shifted_sum_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<64000xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<64000xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<64000xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<64000xf32>
  %12 = stablehlo.add %10, %11 : tensor<64000xf32>
  %13 = stablehlo.sine %12 : tensor<64000xf32>
  %14 = stablehlo.reshape %13 : (tensor<64000xf32>) -> tensor<1000x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32000xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32000xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32000xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32000xf32>
  %19 = stablehlo.add %17, %18 : tensor<32000xf32>
  %20 = stablehlo.sine %19 : tensor<32000xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32000xf32>
  %22 = stablehlo.add %20, %21 : tensor<32000xf32>
  %23 = stablehlo.reshape %22 : (tensor<32000xf32>) -> tensor<1000x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32000xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32000xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32000xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32000xf32>
  %28 = stablehlo.add %26, %27 : tensor<32000xf32>
  %29 = stablehlo.sine %28 : tensor<32000xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32000xf32>
  %31 = stablehlo.add %29, %30 : tensor<32000xf32>
  %32 = stablehlo.reshape %31 : (tensor<32000xf32>) -> tensor<1000x32xf32>
  %33 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1000x64xf32>) -> tensor<128x1000xf32>
  %34 = stablehlo.constant dense<0.2> : tensor<128x1000xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1000xf32>
  %36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %39 = stablehlo.subtract %35, %38 : tensor<128x1000xf32>
  %40 = stablehlo.exponential %39 : tensor<128x1000xf32>
  %41 = stablehlo.constant dense<0.5> : tensor<128x1000xf32>
  %42 = stablehlo.add %40, %41 : tensor<128x1000xf32>
  %43 = stablehlo.constant dense<0.0> : tensor<f32>
  %44 = stablehlo.reduce(%42 init: %43) applies stablehlo.add across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %46 = stablehlo.divide %40, %45 : tensor<128x1000xf32>
  %47 = stablehlo.dot_general %46, %23, contracting_dims = [1] x [0] : (tensor<128x1000xf32>, tensor<1000x32xf32>) -> tensor<128x32xf32>
  %48 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %49 = stablehlo.optimization_barrier %14 : tensor<1000x64xf32>
  %50 = stablehlo.dot_general %48, %49, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1000x64xf32>) -> tensor<128x1000xf32>
  %51 = stablehlo.constant dense<0.2> : tensor<128x1000xf32>
  %52 = stablehlo.multiply %50, %51 : tensor<128x1000xf32>
  %53 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %54 = stablehlo.reduce(%52 init: %53) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %56 = stablehlo.subtract %52, %55 : tensor<128x1000xf32>
  %57 = stablehlo.exponential %56 : tensor<128x1000xf32>
  %58 = stablehlo.optimization_barrier %57 : tensor<128x1000xf32>
  %59 = stablehlo.constant dense<0.5> : tensor<128x1000xf32>
  %60 = stablehlo.add %58, %59 : tensor<128x1000xf32>
  %61 = stablehlo.constant dense<0.0> : tensor<f32>
  %62 = stablehlo.reduce(%60 init: %61) applies stablehlo.add across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %64 = stablehlo.divide %58, %63 : tensor<128x1000xf32>
  %65 = stablehlo.dot_general %64, %23, contracting_dims = [1] x [0] : (tensor<128x1000xf32>, tensor<1000x32xf32>) -> tensor<128x32xf32>
  %66 = stablehlo.abs %65 : tensor<128x32xf32>
  %67 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %68 = stablehlo.maximum %66, %67 : tensor<128x32xf32>
  %69 = stablehlo.subtract %47, %65 : tensor<128x32xf32>
  %70 = stablehlo.divide %69, %68 : tensor<128x32xf32>
  %71 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %72 = stablehlo.add %70, %71 : tensor<128x32xf32>
  check.expect_almost_eq_const %72, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-05
  return
}

// reduce F: a sum that does not begin at zero
func.func @sum_from_one_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<65536xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %12 = stablehlo.add %10, %11 : tensor<65536xf32>
  %13 = stablehlo.sine %12 : tensor<65536xf32>
  %14 = stablehlo.reshape %13 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %19 = stablehlo.add %17, %18 : tensor<32768xf32>
  %20 = stablehlo.sine %19 : tensor<32768xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %22 = stablehlo.add %20, %21 : tensor<32768xf32>
  %23 = stablehlo.reshape %22 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32768xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %28 = stablehlo.add %26, %27 : tensor<32768xf32>
  %29 = stablehlo.sine %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.reshape %31 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %33 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %34 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1024xf32>
  %36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %39 = stablehlo.subtract %35, %38 : tensor<128x1024xf32>
  %40 = stablehlo.exponential %39 : tensor<128x1024xf32>
  %41 = stablehlo.constant dense<8.0> : tensor<f32>
  %42 = stablehlo.reduce(%40 init: %41) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %44 = stablehlo.divide %40, %43 : tensor<128x1024xf32>
  %45 = stablehlo.dot_general %44, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %46 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %47 = stablehlo.optimization_barrier %14 : tensor<1024x64xf32>
  %48 = stablehlo.dot_general %46, %47, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %49 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %50 = stablehlo.multiply %48, %49 : tensor<128x1024xf32>
  %51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %52 = stablehlo.reduce(%50 init: %51) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %54 = stablehlo.subtract %50, %53 : tensor<128x1024xf32>
  %55 = stablehlo.exponential %54 : tensor<128x1024xf32>
  %56 = stablehlo.optimization_barrier %55 : tensor<128x1024xf32>
  %57 = stablehlo.constant dense<8.0> : tensor<f32>
  %58 = stablehlo.reduce(%56 init: %57) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %59 = stablehlo.broadcast_in_dim %58, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %60 = stablehlo.divide %56, %59 : tensor<128x1024xf32>
  %61 = stablehlo.dot_general %60, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %62 = stablehlo.abs %61 : tensor<128x32xf32>
  %63 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %64 = stablehlo.maximum %62, %63 : tensor<128x32xf32>
  %65 = stablehlo.subtract %45, %61 : tensor<128x32xf32>
  %66 = stablehlo.divide %65, %64 : tensor<128x32xf32>
  %67 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %68 = stablehlo.add %66, %67 : tensor<128x32xf32>
  check.expect_almost_eq_const %68, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-05
  return
}

// reduce F, convert F: weights that are truncated to integers
func.func @truncated_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %9 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<65536xf32>
  %11 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %12 = stablehlo.add %10, %11 : tensor<65536xf32>
  %13 = stablehlo.sine %12 : tensor<65536xf32>
  %14 = stablehlo.reshape %13 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %15 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %16 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %17 = stablehlo.multiply %15, %16 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %19 = stablehlo.add %17, %18 : tensor<32768xf32>
  %20 = stablehlo.sine %19 : tensor<32768xf32>
  %21 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %22 = stablehlo.add %20, %21 : tensor<32768xf32>
  %23 = stablehlo.reshape %22 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %24 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %25 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %26 = stablehlo.multiply %24, %25 : tensor<32768xf32>
  %27 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %28 = stablehlo.add %26, %27 : tensor<32768xf32>
  %29 = stablehlo.sine %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.reshape %31 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %33 = stablehlo.dot_general %7, %14, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %34 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<128x1024xf32>
  %36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %37 = stablehlo.reduce(%35 init: %36) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %39 = stablehlo.subtract %35, %38 : tensor<128x1024xf32>
  %40 = stablehlo.exponential %39 : tensor<128x1024xf32>
  %41 = stablehlo.constant dense<0.0> : tensor<f32>
  %42 = stablehlo.reduce(%40 init: %41) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %43 = stablehlo.constant dense<0.0078125> : tensor<128xf32>
  %44 = stablehlo.multiply %42, %43 : tensor<128xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %46 = stablehlo.divide %40, %45 : tensor<128x1024xf32>
  %47 = stablehlo.convert %46 : (tensor<128x1024xf32>) -> tensor<128x1024xi32>
  %48 = stablehlo.convert %47 : (tensor<128x1024xi32>) -> tensor<128x1024xf32>
  %49 = stablehlo.dot_general %48, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %50 = stablehlo.optimization_barrier %7 : tensor<128x64xf32>
  %51 = stablehlo.optimization_barrier %14 : tensor<1024x64xf32>
  %52 = stablehlo.dot_general %50, %51, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<1024x64xf32>) -> tensor<128x1024xf32>
  %53 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %54 = stablehlo.multiply %52, %53 : tensor<128x1024xf32>
  %55 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %56 = stablehlo.reduce(%54 init: %55) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %58 = stablehlo.subtract %54, %57 : tensor<128x1024xf32>
  %59 = stablehlo.exponential %58 : tensor<128x1024xf32>
  %60 = stablehlo.optimization_barrier %59 : tensor<128x1024xf32>
  %61 = stablehlo.constant dense<0.0> : tensor<f32>
  %62 = stablehlo.reduce(%60 init: %61) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %63 = stablehlo.constant dense<0.0078125> : tensor<128xf32>
  %64 = stablehlo.multiply %62, %63 : tensor<128xf32>
  %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %66 = stablehlo.divide %60, %65 : tensor<128x1024xf32>
  %67 = stablehlo.convert %66 : (tensor<128x1024xf32>) -> tensor<128x1024xi32>
  %68 = stablehlo.convert %67 : (tensor<128x1024xi32>) -> tensor<128x1024xf32>
  %69 = stablehlo.dot_general %68, %23, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  %70 = stablehlo.abs %69 : tensor<128x32xf32>
  %71 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %72 = stablehlo.maximum %70, %71 : tensor<128x32xf32>
  %73 = stablehlo.subtract %49, %69 : tensor<128x32xf32>
  %74 = stablehlo.divide %73, %72 : tensor<128x32xf32>
  %75 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %76 = stablehlo.add %74, %75 : tensor<128x32xf32>
  check.expect_almost_eq_const %76, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-05
  return
}

// reduce F, dot_general F: products of softmax's rows with each other
func.func @values_are_weights_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<65536xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %13 = stablehlo.add %11, %12 : tensor<65536xf32>
  %14 = stablehlo.sine %13 : tensor<65536xf32>
  %15 = stablehlo.reshape %14 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1024x64xf32>) -> tensor<1024x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32768xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %21 = stablehlo.add %19, %20 : tensor<32768xf32>
  %22 = stablehlo.sine %21 : tensor<32768xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %24 = stablehlo.add %22, %23 : tensor<32768xf32>
  %25 = stablehlo.reshape %24 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.sine %31 : tensor<32768xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %34 = stablehlo.add %32, %33 : tensor<32768xf32>
  %35 = stablehlo.reshape %34 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %37 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %38 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1024xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1024xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1024xf32>
  %45 = stablehlo.constant dense<0.0> : tensor<f32>
  %46 = stablehlo.reduce(%44 init: %45) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %48 = stablehlo.divide %44, %47 : tensor<128x1024xf32>
  %49 = stablehlo.convert %48 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %50 = stablehlo.dot_general %49, %49, contracting_dims = [1] x [1] : (tensor<128x1024xbf16>, tensor<128x1024xbf16>) -> tensor<128x128xbf16>
  %51 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %52 = stablehlo.optimization_barrier %16 : tensor<1024x64xbf16>
  %53 = stablehlo.dot_general %51, %52, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %54 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %55 = stablehlo.multiply %53, %54 : tensor<128x1024xf32>
  %56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %57 = stablehlo.reduce(%55 init: %56) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %59 = stablehlo.subtract %55, %58 : tensor<128x1024xf32>
  %60 = stablehlo.exponential %59 : tensor<128x1024xf32>
  %61 = stablehlo.constant dense<0.0> : tensor<f32>
  %62 = stablehlo.reduce(%60 init: %61) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %64 = stablehlo.divide %60, %63 : tensor<128x1024xf32>
  %65 = stablehlo.optimization_barrier %64 : tensor<128x1024xf32>
  %66 = stablehlo.convert %65 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %67 = stablehlo.dot_general %66, %66, contracting_dims = [1] x [1] : (tensor<128x1024xbf16>, tensor<128x1024xbf16>) -> tensor<128x128xbf16>
  %68 = stablehlo.convert %50 : (tensor<128x128xbf16>) -> tensor<128x128xf32>
  %69 = stablehlo.convert %67 : (tensor<128x128xbf16>) -> tensor<128x128xf32>
  %70 = stablehlo.abs %69 : tensor<128x128xf32>
  %71 = stablehlo.constant dense<0.0009765625> : tensor<128x128xf32>
  %72 = stablehlo.maximum %70, %71 : tensor<128x128xf32>
  %73 = stablehlo.subtract %68, %69 : tensor<128x128xf32>
  %74 = stablehlo.divide %73, %72 : tensor<128x128xf32>
  %75 = stablehlo.constant dense<1.0> : tensor<128x128xf32>
  %76 = stablehlo.add %74, %75 : tensor<128x128xf32>
  check.expect_almost_eq_const %76, dense<1.0> : tensor<128x128xf32>, tolerance = 2.00e-02
  return
}

// reduce F, divide F: a divisor that differs from key to key
func.func @divisor_of_keys_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<65536xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %13 = stablehlo.add %11, %12 : tensor<65536xf32>
  %14 = stablehlo.sine %13 : tensor<65536xf32>
  %15 = stablehlo.reshape %14 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1024x64xf32>) -> tensor<1024x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32768xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %21 = stablehlo.add %19, %20 : tensor<32768xf32>
  %22 = stablehlo.sine %21 : tensor<32768xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %24 = stablehlo.add %22, %23 : tensor<32768xf32>
  %25 = stablehlo.reshape %24 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.sine %31 : tensor<32768xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %34 = stablehlo.add %32, %33 : tensor<32768xf32>
  %35 = stablehlo.reshape %34 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %37 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %38 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1024xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1024xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1024xf32>
  %45 = stablehlo.iota dim = 0 : tensor<128x1024xi32>
  %46 = stablehlo.iota dim = 1 : tensor<128x1024xi32>
  %47 = stablehlo.compare LT, %45, %46 : (tensor<128x1024xi32>, tensor<128x1024xi32>) -> tensor<128x1024xi1>
  %48 = stablehlo.constant dense<0.0> : tensor<f32>
  %49 = stablehlo.reduce(%44 init: %48) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %51 = stablehlo.constant dense<64.0> : tensor<128x1024xf32>
  %52 = stablehlo.select %47, %50, %51 : tensor<128x1024xi1>, tensor<128x1024xf32>
  %53 = stablehlo.divide %44, %52 : tensor<128x1024xf32>
  %54 = stablehlo.convert %53 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %55 = stablehlo.dot_general %54, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %56 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %57 = stablehlo.optimization_barrier %16 : tensor<1024x64xbf16>
  %58 = stablehlo.dot_general %56, %57, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %59 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %60 = stablehlo.multiply %58, %59 : tensor<128x1024xf32>
  %61 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %62 = stablehlo.reduce(%60 init: %61) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %64 = stablehlo.subtract %60, %63 : tensor<128x1024xf32>
  %65 = stablehlo.exponential %64 : tensor<128x1024xf32>
  %66 = stablehlo.optimization_barrier %65 : tensor<128x1024xf32>
  %67 = stablehlo.iota dim = 0 : tensor<128x1024xi32>
  %68 = stablehlo.iota dim = 1 : tensor<128x1024xi32>
  %69 = stablehlo.compare LT, %67, %68 : (tensor<128x1024xi32>, tensor<128x1024xi32>) -> tensor<128x1024xi1>
  %70 = stablehlo.constant dense<0.0> : tensor<f32>
  %71 = stablehlo.reduce(%66 init: %70) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %73 = stablehlo.constant dense<64.0> : tensor<128x1024xf32>
  %74 = stablehlo.select %69, %72, %73 : tensor<128x1024xi1>, tensor<128x1024xf32>
  %75 = stablehlo.divide %66, %74 : tensor<128x1024xf32>
  %76 = stablehlo.convert %75 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %77 = stablehlo.dot_general %76, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %78 = stablehlo.convert %55 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %79 = stablehlo.convert %77 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %80 = stablehlo.abs %79 : tensor<128x32xf32>
  %81 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %82 = stablehlo.maximum %80, %81 : tensor<128x32xf32>
  %83 = stablehlo.subtract %78, %79 : tensor<128x32xf32>
  %84 = stablehlo.divide %83, %82 : tensor<128x32xf32>
  %85 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %86 = stablehlo.add %84, %85 : tensor<128x32xf32>
  check.expect_almost_eq_const %86, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-02
  return
}

// reduce F, sqrt F: weights divided by their norm
func.func @norm_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<65536xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %13 = stablehlo.add %11, %12 : tensor<65536xf32>
  %14 = stablehlo.sine %13 : tensor<65536xf32>
  %15 = stablehlo.reshape %14 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1024x64xf32>) -> tensor<1024x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32768xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %21 = stablehlo.add %19, %20 : tensor<32768xf32>
  %22 = stablehlo.sine %21 : tensor<32768xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %24 = stablehlo.add %22, %23 : tensor<32768xf32>
  %25 = stablehlo.reshape %24 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.sine %31 : tensor<32768xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %34 = stablehlo.add %32, %33 : tensor<32768xf32>
  %35 = stablehlo.reshape %34 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %37 = stablehlo.iota dim = 1 : tensor<128x1024xf32>
  %38 = stablehlo.constant dense<0.00390625> : tensor<128x1024xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1024xf32>
  %40 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %41 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %42 = stablehlo.multiply %40, %41 : tensor<128x1024xf32>
  %43 = stablehlo.add %42, %39 : tensor<128x1024xf32>
  %44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %45 = stablehlo.reduce(%43 init: %44) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %47 = stablehlo.subtract %43, %46 : tensor<128x1024xf32>
  %48 = stablehlo.exponential %47 : tensor<128x1024xf32>
  %49 = stablehlo.multiply %48, %48 : tensor<128x1024xf32>
  %50 = stablehlo.constant dense<0.0> : tensor<f32>
  %51 = stablehlo.reduce(%49 init: %50) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %52 = stablehlo.sqrt %51 : tensor<128xf32>
  %53 = stablehlo.constant dense<8.0> : tensor<128xf32>
  %54 = stablehlo.multiply %52, %53 : tensor<128xf32>
  %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %56 = stablehlo.divide %48, %55 : tensor<128x1024xf32>
  %57 = stablehlo.convert %56 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %58 = stablehlo.dot_general %57, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %59 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %60 = stablehlo.optimization_barrier %16 : tensor<1024x64xbf16>
  %61 = stablehlo.iota dim = 1 : tensor<128x1024xf32>
  %62 = stablehlo.constant dense<0.00390625> : tensor<128x1024xf32>
  %63 = stablehlo.multiply %61, %62 : tensor<128x1024xf32>
  %64 = stablehlo.dot_general %59, %60, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %65 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %66 = stablehlo.multiply %64, %65 : tensor<128x1024xf32>
  %67 = stablehlo.add %66, %63 : tensor<128x1024xf32>
  %68 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %69 = stablehlo.reduce(%67 init: %68) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %70 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %71 = stablehlo.subtract %67, %70 : tensor<128x1024xf32>
  %72 = stablehlo.exponential %71 : tensor<128x1024xf32>
  %73 = stablehlo.optimization_barrier %72 : tensor<128x1024xf32>
  %74 = stablehlo.multiply %73, %73 : tensor<128x1024xf32>
  %75 = stablehlo.constant dense<0.0> : tensor<f32>
  %76 = stablehlo.reduce(%74 init: %75) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %77 = stablehlo.sqrt %76 : tensor<128xf32>
  %78 = stablehlo.constant dense<8.0> : tensor<128xf32>
  %79 = stablehlo.multiply %77, %78 : tensor<128xf32>
  %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %81 = stablehlo.divide %73, %80 : tensor<128x1024xf32>
  %82 = stablehlo.convert %81 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %83 = stablehlo.dot_general %82, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %84 = stablehlo.convert %58 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %85 = stablehlo.convert %83 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %86 = stablehlo.abs %85 : tensor<128x32xf32>
  %87 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %88 = stablehlo.maximum %86, %87 : tensor<128x32xf32>
  %89 = stablehlo.subtract %84, %85 : tensor<128x32xf32>
  %90 = stablehlo.divide %89, %88 : tensor<128x32xf32>
  %91 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %92 = stablehlo.add %90, %91 : tensor<128x32xf32>
  check.expect_almost_eq_const %92, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-02
  return
}

// reduce F, add F: a sum of the weights plus a constant, of keys that are not whole blocks
func.func @shifted_sum_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<64000xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<64000xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<64000xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<64000xf32>
  %13 = stablehlo.add %11, %12 : tensor<64000xf32>
  %14 = stablehlo.sine %13 : tensor<64000xf32>
  %15 = stablehlo.reshape %14 : (tensor<64000xf32>) -> tensor<1000x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1000x64xf32>) -> tensor<1000x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32000xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32000xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32000xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32000xf32>
  %21 = stablehlo.add %19, %20 : tensor<32000xf32>
  %22 = stablehlo.sine %21 : tensor<32000xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32000xf32>
  %24 = stablehlo.add %22, %23 : tensor<32000xf32>
  %25 = stablehlo.reshape %24 : (tensor<32000xf32>) -> tensor<1000x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1000x32xf32>) -> tensor<1000x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32000xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32000xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32000xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32000xf32>
  %31 = stablehlo.add %29, %30 : tensor<32000xf32>
  %32 = stablehlo.sine %31 : tensor<32000xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32000xf32>
  %34 = stablehlo.add %32, %33 : tensor<32000xf32>
  %35 = stablehlo.reshape %34 : (tensor<32000xf32>) -> tensor<1000x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1000x32xf32>) -> tensor<1000x32xbf16>
  %37 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1000x64xbf16>) -> tensor<128x1000xf32>
  %38 = stablehlo.constant dense<0.2> : tensor<128x1000xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1000xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1000xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1000xf32>
  %45 = stablehlo.constant dense<0.5> : tensor<128x1000xf32>
  %46 = stablehlo.add %44, %45 : tensor<128x1000xf32>
  %47 = stablehlo.constant dense<0.0> : tensor<f32>
  %48 = stablehlo.reduce(%46 init: %47) applies stablehlo.add across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %50 = stablehlo.divide %44, %49 : tensor<128x1000xf32>
  %51 = stablehlo.convert %50 : (tensor<128x1000xf32>) -> tensor<128x1000xbf16>
  %52 = stablehlo.dot_general %51, %26, contracting_dims = [1] x [0] : (tensor<128x1000xbf16>, tensor<1000x32xbf16>) -> tensor<128x32xbf16>
  %53 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %54 = stablehlo.optimization_barrier %16 : tensor<1000x64xbf16>
  %55 = stablehlo.dot_general %53, %54, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1000x64xbf16>) -> tensor<128x1000xf32>
  %56 = stablehlo.constant dense<0.2> : tensor<128x1000xf32>
  %57 = stablehlo.multiply %55, %56 : tensor<128x1000xf32>
  %58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %59 = stablehlo.reduce(%57 init: %58) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %60 = stablehlo.broadcast_in_dim %59, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %61 = stablehlo.subtract %57, %60 : tensor<128x1000xf32>
  %62 = stablehlo.exponential %61 : tensor<128x1000xf32>
  %63 = stablehlo.optimization_barrier %62 : tensor<128x1000xf32>
  %64 = stablehlo.constant dense<0.5> : tensor<128x1000xf32>
  %65 = stablehlo.add %63, %64 : tensor<128x1000xf32>
  %66 = stablehlo.constant dense<0.0> : tensor<f32>
  %67 = stablehlo.reduce(%65 init: %66) applies stablehlo.add across dimensions = [1] : (tensor<128x1000xf32>, tensor<f32>) -> tensor<128xf32>
  %68 = stablehlo.broadcast_in_dim %67, dims = [0] : (tensor<128xf32>) -> tensor<128x1000xf32>
  %69 = stablehlo.divide %63, %68 : tensor<128x1000xf32>
  %70 = stablehlo.convert %69 : (tensor<128x1000xf32>) -> tensor<128x1000xbf16>
  %71 = stablehlo.dot_general %70, %26, contracting_dims = [1] x [0] : (tensor<128x1000xbf16>, tensor<1000x32xbf16>) -> tensor<128x32xbf16>
  %72 = stablehlo.convert %52 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %73 = stablehlo.convert %71 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %74 = stablehlo.abs %73 : tensor<128x32xf32>
  %75 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %76 = stablehlo.maximum %74, %75 : tensor<128x32xf32>
  %77 = stablehlo.subtract %72, %73 : tensor<128x32xf32>
  %78 = stablehlo.divide %77, %76 : tensor<128x32xf32>
  %79 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %80 = stablehlo.add %78, %79 : tensor<128x32xf32>
  check.expect_almost_eq_const %80, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-02
  return
}

// reduce F: a sum that does not begin at zero
func.func @sum_from_one_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<65536xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %13 = stablehlo.add %11, %12 : tensor<65536xf32>
  %14 = stablehlo.sine %13 : tensor<65536xf32>
  %15 = stablehlo.reshape %14 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1024x64xf32>) -> tensor<1024x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32768xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %21 = stablehlo.add %19, %20 : tensor<32768xf32>
  %22 = stablehlo.sine %21 : tensor<32768xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %24 = stablehlo.add %22, %23 : tensor<32768xf32>
  %25 = stablehlo.reshape %24 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.sine %31 : tensor<32768xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %34 = stablehlo.add %32, %33 : tensor<32768xf32>
  %35 = stablehlo.reshape %34 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %37 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %38 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1024xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1024xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1024xf32>
  %45 = stablehlo.constant dense<8.0> : tensor<f32>
  %46 = stablehlo.reduce(%44 init: %45) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %48 = stablehlo.divide %44, %47 : tensor<128x1024xf32>
  %49 = stablehlo.convert %48 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %50 = stablehlo.dot_general %49, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %51 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %52 = stablehlo.optimization_barrier %16 : tensor<1024x64xbf16>
  %53 = stablehlo.dot_general %51, %52, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %54 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %55 = stablehlo.multiply %53, %54 : tensor<128x1024xf32>
  %56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %57 = stablehlo.reduce(%55 init: %56) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %59 = stablehlo.subtract %55, %58 : tensor<128x1024xf32>
  %60 = stablehlo.exponential %59 : tensor<128x1024xf32>
  %61 = stablehlo.optimization_barrier %60 : tensor<128x1024xf32>
  %62 = stablehlo.constant dense<8.0> : tensor<f32>
  %63 = stablehlo.reduce(%61 init: %62) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %64 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %65 = stablehlo.divide %61, %64 : tensor<128x1024xf32>
  %66 = stablehlo.convert %65 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %67 = stablehlo.dot_general %66, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %68 = stablehlo.convert %50 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %69 = stablehlo.convert %67 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %70 = stablehlo.abs %69 : tensor<128x32xf32>
  %71 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %72 = stablehlo.maximum %70, %71 : tensor<128x32xf32>
  %73 = stablehlo.subtract %68, %69 : tensor<128x32xf32>
  %74 = stablehlo.divide %73, %72 : tensor<128x32xf32>
  %75 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %76 = stablehlo.add %74, %75 : tensor<128x32xf32>
  check.expect_almost_eq_const %76, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-02
  return
}

// reduce F, convert F: weights that are truncated to integers
func.func @truncated_bf16() {
  %1 = stablehlo.iota dim = 0 : tensor<8192xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<8192xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<8192xf32>
  %4 = stablehlo.constant dense<0.1> : tensor<8192xf32>
  %5 = stablehlo.add %3, %4 : tensor<8192xf32>
  %6 = stablehlo.sine %5 : tensor<8192xf32>
  %7 = stablehlo.reshape %6 : (tensor<8192xf32>) -> tensor<128x64xf32>
  %8 = stablehlo.convert %7 : (tensor<128x64xf32>) -> tensor<128x64xbf16>
  %9 = stablehlo.iota dim = 0 : tensor<65536xf32>
  %10 = stablehlo.constant dense<0.21> : tensor<65536xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<65536xf32>
  %12 = stablehlo.constant dense<0.4> : tensor<65536xf32>
  %13 = stablehlo.add %11, %12 : tensor<65536xf32>
  %14 = stablehlo.sine %13 : tensor<65536xf32>
  %15 = stablehlo.reshape %14 : (tensor<65536xf32>) -> tensor<1024x64xf32>
  %16 = stablehlo.convert %15 : (tensor<1024x64xf32>) -> tensor<1024x64xbf16>
  %17 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %18 = stablehlo.constant dense<0.13> : tensor<32768xf32>
  %19 = stablehlo.multiply %17, %18 : tensor<32768xf32>
  %20 = stablehlo.constant dense<0.9> : tensor<32768xf32>
  %21 = stablehlo.add %19, %20 : tensor<32768xf32>
  %22 = stablehlo.sine %21 : tensor<32768xf32>
  %23 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %24 = stablehlo.add %22, %23 : tensor<32768xf32>
  %25 = stablehlo.reshape %24 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %26 = stablehlo.convert %25 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %27 = stablehlo.iota dim = 0 : tensor<32768xf32>
  %28 = stablehlo.constant dense<0.71> : tensor<32768xf32>
  %29 = stablehlo.multiply %27, %28 : tensor<32768xf32>
  %30 = stablehlo.constant dense<0.2> : tensor<32768xf32>
  %31 = stablehlo.add %29, %30 : tensor<32768xf32>
  %32 = stablehlo.sine %31 : tensor<32768xf32>
  %33 = stablehlo.constant dense<1.5> : tensor<32768xf32>
  %34 = stablehlo.add %32, %33 : tensor<32768xf32>
  %35 = stablehlo.reshape %34 : (tensor<32768xf32>) -> tensor<1024x32xf32>
  %36 = stablehlo.convert %35 : (tensor<1024x32xf32>) -> tensor<1024x32xbf16>
  %37 = stablehlo.dot_general %8, %16, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %38 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %39 = stablehlo.multiply %37, %38 : tensor<128x1024xf32>
  %40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %41 = stablehlo.reduce(%39 init: %40) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %43 = stablehlo.subtract %39, %42 : tensor<128x1024xf32>
  %44 = stablehlo.exponential %43 : tensor<128x1024xf32>
  %45 = stablehlo.constant dense<0.0> : tensor<f32>
  %46 = stablehlo.reduce(%44 init: %45) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %47 = stablehlo.constant dense<0.0078125> : tensor<128xf32>
  %48 = stablehlo.multiply %46, %47 : tensor<128xf32>
  %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %50 = stablehlo.divide %44, %49 : tensor<128x1024xf32>
  %51 = stablehlo.convert %50 : (tensor<128x1024xf32>) -> tensor<128x1024xi32>
  %52 = stablehlo.convert %51 : (tensor<128x1024xi32>) -> tensor<128x1024xf32>
  %53 = stablehlo.convert %52 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %54 = stablehlo.dot_general %53, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %55 = stablehlo.optimization_barrier %8 : tensor<128x64xbf16>
  %56 = stablehlo.optimization_barrier %16 : tensor<1024x64xbf16>
  %57 = stablehlo.dot_general %55, %56, contracting_dims = [1] x [1] : (tensor<128x64xbf16>, tensor<1024x64xbf16>) -> tensor<128x1024xf32>
  %58 = stablehlo.constant dense<0.2> : tensor<128x1024xf32>
  %59 = stablehlo.multiply %57, %58 : tensor<128x1024xf32>
  %60 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %61 = stablehlo.reduce(%59 init: %60) applies stablehlo.maximum across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %62 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %63 = stablehlo.subtract %59, %62 : tensor<128x1024xf32>
  %64 = stablehlo.exponential %63 : tensor<128x1024xf32>
  %65 = stablehlo.optimization_barrier %64 : tensor<128x1024xf32>
  %66 = stablehlo.constant dense<0.0> : tensor<f32>
  %67 = stablehlo.reduce(%65 init: %66) applies stablehlo.add across dimensions = [1] : (tensor<128x1024xf32>, tensor<f32>) -> tensor<128xf32>
  %68 = stablehlo.constant dense<0.0078125> : tensor<128xf32>
  %69 = stablehlo.multiply %67, %68 : tensor<128xf32>
  %70 = stablehlo.broadcast_in_dim %69, dims = [0] : (tensor<128xf32>) -> tensor<128x1024xf32>
  %71 = stablehlo.divide %65, %70 : tensor<128x1024xf32>
  %72 = stablehlo.convert %71 : (tensor<128x1024xf32>) -> tensor<128x1024xi32>
  %73 = stablehlo.convert %72 : (tensor<128x1024xi32>) -> tensor<128x1024xf32>
  %74 = stablehlo.convert %73 : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  %75 = stablehlo.dot_general %74, %26, contracting_dims = [1] x [0] : (tensor<128x1024xbf16>, tensor<1024x32xbf16>) -> tensor<128x32xbf16>
  %76 = stablehlo.convert %54 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %77 = stablehlo.convert %75 : (tensor<128x32xbf16>) -> tensor<128x32xf32>
  %78 = stablehlo.abs %77 : tensor<128x32xf32>
  %79 = stablehlo.constant dense<0.125> : tensor<128x32xf32>
  %80 = stablehlo.maximum %78, %79 : tensor<128x32xf32>
  %81 = stablehlo.subtract %76, %77 : tensor<128x32xf32>
  %82 = stablehlo.divide %81, %80 : tensor<128x32xf32>
  %83 = stablehlo.constant dense<1.0> : tensor<128x32xf32>
  %84 = stablehlo.add %82, %83 : tensor<128x32xf32>
  check.expect_almost_eq_const %84, dense<1.0> : tensor<128x32xf32>, tolerance = 2.00e-02
  return
}
