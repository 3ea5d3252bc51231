#include "frontend/hlo/dynamic/shape_operands.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/dynamic/dynamic_call.h"

namespace halyard::hlo {

bool IsShapeAssertion(const Instruction& inst) {
  return inst.opcode == Opcode::kCustomCall && !inst.operands.empty() &&
         inst.GetString(Attr::kCustomCallTarget) == "shape_assertion" &&
         inst.operand(0)->shape.IsScalar() &&
         inst.operand(0)->shape.element_type() == ElementType::kPred;
}

absl::Status CheckShapeAssertion(const Instruction& inst, absl::Span<const Literal> values) {
  if (values[0].GetInt(0) != 0) return absl::OkStatus();
  std::string message = inst.GetString(Attr::kBackendConfig);
  if (message.empty()) message = "a shape assertion does not hold";
  std::vector<std::pair<std::string, std::string>> shown;
  for (size_t i = 1; i < values.size(); ++i) {
    shown.emplace_back(absl::StrCat("{", i - 1, "}"), values[i].ToString());
  }
  return absl::InvalidArgumentError(absl::StrReplaceAll(message, shown));
}

int64_t NextShapeOperand(const Instruction& inst, int64_t after) {
  int64_t first = 0, last = -1;
  switch (inst.opcode) {
    case Opcode::kSetDimensionSize:
    case Opcode::kDynamicBroadcastInDim:
      first = last = 1;
      break;
    case Opcode::kDynamicReshape:
    case Opcode::kRealDynamicSlice:
      first = 1;
      last = static_cast<int64_t>(inst.operands.size()) - 1;
      break;
    case Opcode::kDynamicIota:
      last = 0;
      break;
    case Opcode::kDynamicPad:
      first = 2;
      last = 4;
      break;
    case Opcode::kDynamicGather:
    case Opcode::kDynamicConvolution:
      first = last = 2;
      break;
    case Opcode::kCustomCall:
      if (IsShapeAssertion(inst)) {
        last = static_cast<int64_t>(inst.operands.size()) - 1;
      } else if (FirstShapeOperandOfCall(inst) >= 0) {
        first = FirstShapeOperandOfCall(inst);
        last = static_cast<int64_t>(inst.operands.size()) - 1;
      }
      break;
    default:
      break;
  }
  const int64_t next = std::max(first, after + 1);
  return next <= last ? next : -1;
}

}  // namespace halyard::hlo
