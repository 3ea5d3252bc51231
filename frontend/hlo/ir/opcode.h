// Opcode: one enumerator per row of ops.def.
#ifndef HALYARD_FRONTEND_HLO_IR_OPCODE_H_
#define HALYARD_FRONTEND_HLO_IR_OPCODE_H_

#include <cstdint>

namespace halyard::hlo {

enum class Opcode : uint8_t {
#define HLO_OP(enumerator, ...) enumerator,
#include "frontend/hlo/ir/ops.def"
#undef HLO_OP
};

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_OPCODE_H_
