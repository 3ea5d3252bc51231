// Reads and writes the attributes of one instruction in the wire format.
#ifndef HALYARD_FRONTEND_HLO_PROTO_INSTRUCTION_PROTO_H_
#define HALYARD_FRONTEND_HLO_PROTO_INSTRUCTION_PROTO_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_proto {

namespace wire {
class HloInstructionProto;
}  // namespace wire

// Frontend attributes with this prefix hold attributes that have no field, in the spelling of HLO
// text.
inline constexpr absl::string_view kOwnPrefix = "halyard.";

// Sets `inst.attrs`: the attributes that its row names, sharding, frontend attributes and, if the
// row has no place for backend_config, only a loop's trip count from it. Reads `inst.opcode` and
// `inst.operands`.
absl::Status ReadAttributes(const wire::HloInstructionProto& proto, hlo::Instruction* inst);

void WriteAttributes(const hlo::Instruction& inst, wire::HloInstructionProto* proto);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_INSTRUCTION_PROTO_H_
