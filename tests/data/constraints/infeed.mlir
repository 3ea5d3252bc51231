// infeed: 3 constraints
func.func @main(%t: !stablehlo.token) -> tensor<2xi32> {
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %0#0 : tensor<2xi32>
}
// C2: (tensor<2xi32>, !stablehlo.token) => (!stablehlo.token, !stablehlo.token) && tensor<2xi32> => !stablehlo.token
// C3: -> (tensor<2xi32>, !stablehlo.token) => -> (tensor<2xi32>, tensor<2xi32>)
// -----
func.func @main(%t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// C1: %0 = "stablehlo.infeed" => "stablehlo.infeed" && {infeed_config = ""} : (!stablehlo.token) -> !stablehlo.token => {infeed_config = ""} : (!stablehlo.token) -> () && return %0 => return %t
