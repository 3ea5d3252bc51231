// What stock_vulkan.cc computes.
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %product = stablehlo.multiply %x, %y : tensor<64x64xf32>
  %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>
  %sum = stablehlo.add %product, %one : tensor<64x64xf32>
  return %sum : tensor<64x64xf32>
}
