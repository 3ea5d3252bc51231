// Rings that move: a point is (squared distance from the middle) / 64 - 8 times the time, modulo 256.
module @picture {
  func.func public @main(%time: tensor<i32> loc("time")) -> (tensor<128x256xi32> {jax.result_info = "points"}) {
    %x = stablehlo.iota dim = 1 : tensor<128x256xi32>
    %y = stablehlo.iota dim = 0 : tensor<128x256xi32>
    %middle_x = stablehlo.constant dense<128> : tensor<128x256xi32>
    %middle_y = stablehlo.constant dense<64> : tensor<128x256xi32>
    %two = stablehlo.constant dense<2> : tensor<128x256xi32>
    %six = stablehlo.constant dense<6> : tensor<128x256xi32>
    %eight = stablehlo.constant dense<8> : tensor<128x256xi32>
    %most = stablehlo.constant dense<255> : tensor<128x256xi32>
    %dx = stablehlo.subtract %x, %middle_x : tensor<128x256xi32>
    %y1 = stablehlo.subtract %y, %middle_y : tensor<128x256xi32>
    %dy = stablehlo.multiply %y1, %two : tensor<128x256xi32>
    %dx2 = stablehlo.multiply %dx, %dx : tensor<128x256xi32>
    %dy2 = stablehlo.multiply %dy, %dy : tensor<128x256xi32>
    %d2 = stablehlo.add %dx2, %dy2 : tensor<128x256xi32>
    %rings = stablehlo.shift_right_logical %d2, %six : tensor<128x256xi32>
    %times = stablehlo.broadcast_in_dim %time, dims = [] : (tensor<i32>) -> tensor<128x256xi32>
    %moved = stablehlo.multiply %times, %eight : tensor<128x256xi32>
    %value = stablehlo.subtract %rings, %moved : tensor<128x256xi32>
    %points = stablehlo.and %value, %most : tensor<128x256xi32>
    return %points : tensor<128x256xi32>
  }
}
