func.func private @composite_f32_double(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %a, %a : tensor<2xf32>
  return %r : tensor<2xf32>
}
// composite F
func.func @composite_f32() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = stablehlo.composite "my.double" %x0 {decomposition = @composite_f32_double} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

func.func private @composite_pred_same(%a: tensor<2xi1>) -> tensor<2xi1> {
  return %a : tensor<2xi1>
}
// composite B: composite types
func.func @composite_pred() {
  %x0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %r = stablehlo.composite "my.same" %x0 {decomposition = @composite_pred_same} : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %r, dense<[false, true]> : tensor<2xi1>
  return
}

func.func private @composite_s8_same(%a: tensor<2xi8>) -> tensor<2xi8> {
  return %a : tensor<2xi8>
}
// composite SI: composite types
func.func @composite_s8() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %r = stablehlo.composite "my.same" %x0 {decomposition = @composite_s8_same} : (tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xi8>
  return
}

func.func private @composite_u32_same(%a: tensor<2xui32>) -> tensor<2xui32> {
  return %a : tensor<2xui32>
}
// composite UI: composite types
func.func @composite_u32() {
  %x0 = stablehlo.constant dense<[0, 1]> : tensor<2xui32>
  %r = stablehlo.composite "my.same" %x0 {decomposition = @composite_u32_same} : (tensor<2xui32>) -> tensor<2xui32>
  check.expect_eq_const %r, dense<[0, 1]> : tensor<2xui32>
  return
}

func.func private @composite_c64_same(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  return %a : tensor<2xcomplex<f32>>
}
// composite C: composite types
func.func @composite_c64() {
  %x0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.composite "my.same" %x0 {decomposition = @composite_c64_same} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}
