# `halyard run` of a program that breaks a constraint: exit status 1; the place, the op, the label.
file(WRITE "${FOLDER}/bad.mlir" [[
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
]])
execute_process(COMMAND "${HALYARD}" run "${FOLDER}/bad.mlir" --target=reference
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT status EQUAL 1)
  message(FATAL_ERROR "exit status ${status}, not 1: ${out}${err}")
endif()
if(NOT err MATCHES "bad.mlir:2:8: error: slice [^ ]*: C3: ")
  message(FATAL_ERROR "the message does not name place, op and constraint: ${err}")
endif()
