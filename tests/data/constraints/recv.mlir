// recv: 4 constraints
func.func @main(%t: !stablehlo.token) -> tensor<2xi32> {
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %0#0 : tensor<2xi32>
}
// C1: is_host_transfer = true => is_host_transfer = false
// C1: type = 3 => type = 1
// C3: (tensor<2xi32>, !stablehlo.token) => (!stablehlo.token, !stablehlo.token) && tensor<2xi32> => !stablehlo.token
// C4: -> (tensor<2xi32>, !stablehlo.token) => -> (tensor<2xi32>, tensor<2xi32>)
// -----
func.func @main(%t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// C2: %0 = "stablehlo.recv" => "stablehlo.recv" && is_host_transfer = false} : (!stablehlo.token) -> !stablehlo.token => is_host_transfer = false} : (!stablehlo.token) -> () && return %0 => return %t
