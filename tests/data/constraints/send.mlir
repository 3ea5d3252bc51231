// send: 1 constraint
func.func @main(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// C1: is_host_transfer = true => is_host_transfer = false
// C1: type = 2 => type = 1
