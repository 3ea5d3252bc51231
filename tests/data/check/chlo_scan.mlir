// chlo_scan F: scan
func.func @chlo_scan_f32() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %x1 = stablehlo.constant dense<[100.0, 200.0]> : tensor<2xf32>
  %r:2 = chlo.scan(%x0) inits (%x1) dimension=0 {
  ^bb0(%input: tensor<2xf32>, %carry: tensor<2xf32>):
    %n = stablehlo.add %carry, %input : tensor<2xf32>
    stablehlo.return %carry, %n : tensor<2xf32>, tensor<2xf32>
  } : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[[100.0, 200.0], [101.0, 202.0], [104.0, 206.0]]> : tensor<3x2xf32>
  check.expect_eq_const %r#1, dense<[109.0, 212.0]> : tensor<2xf32>
  return
}

// chlo_scan SI: scan
func.func @chlo_scan_s32() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %x1 = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %r:2 = chlo.scan(%x0) inits (%x1) dimension=0 {
  ^bb0(%input: tensor<2xi32>, %carry: tensor<2xi32>):
    %n = stablehlo.add %carry, %input : tensor<2xi32>
    stablehlo.return %carry, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<3x2xi32>, tensor<2xi32>) -> (tensor<3x2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[100, 200], [101, 202], [104, 206]]> : tensor<3x2xi32>
  check.expect_eq_const %r#1, dense<[109, 212]> : tensor<2xi32>
  return
}
