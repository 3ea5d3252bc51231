#include "frontend/hlo/dynamic/shape_operands.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace halyard::hlo {
namespace {

bool IntegersFrom(const Instruction& inst, size_t first) {
  for (size_t i = first; i < inst.operands.size(); ++i) {
    const Shape& shape = inst.operands[i]->shape;
    if (!shape.IsArray() || !IsInteger(shape.element_type())) return false;
  }
  return true;
}

}  // namespace

bool IsDynamicReduceWindow(const Instruction& inst) {
  const size_t count = inst.operands.size();
  return inst.GetString(Attr::kCustomCallTarget) == "stablehlo.dynamic_reduce_window" &&
         count >= 7 && count % 2 == 1 && inst.called.size() == 1 &&
         inst.operand(0)->shape.IsArray() && IntegersFrom(inst, count - 5);
}

bool IsDynamicTopK(const Instruction& inst) {
  return inst.GetString(Attr::kCustomCallTarget) == "stablehlo.dynamic_top_k" &&
         inst.operands.size() == 2 && inst.operand(1)->shape.IsScalar() && IntegersFrom(inst, 1);
}

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
      last = static_cast<int64_t>(inst.operands.size()) - 1;
      if (IsDynamicReduceWindow(inst)) {
        first = last - 4;
      } else if (IsDynamicTopK(inst)) {
        first = 1;
      } else if (!IsShapeAssertion(inst)) {
        last = -1;
      }
      break;
    default:
      break;
  }
  const int64_t next = std::max(first, after + 1);
  return next <= last ? next : -1;
}

}  // namespace halyard::hlo
