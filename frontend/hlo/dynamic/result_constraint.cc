// Which labelled constraint ties an op's result to its operands.
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

// Results whose parts have constraints of their own.
absl::string_view PartLabel(const Instruction& inst, size_t part, bool dims_differ) {
  if (inst.opcode == Opcode::kBatchNormTraining && part > 0) {
    return !dims_differ ? "C2" : part == 1 ? "C5" : "C6";
  }
  if (inst.opcode == Opcode::kBatchNormGrad && part > 0 && dims_differ) return "C4";
  if (inst.opcode == Opcode::kRngBitGenerator && part > 0) return "O2";
  return "";
}

}  // namespace

std::string ResultConstraint(const Instruction& inst, const Shape& inferred) {
  std::vector<Shape> want = FlattenShape(inferred), got = FlattenShape(inst.shape);
  size_t part = 0;
  bool dims_differ = true;
  if (want.size() == got.size()) {
    while (part < want.size() && ShapesAgree(want[part], got[part])) ++part;
    if (part == want.size()) part = 0;
    dims_differ = want[part].IsArray() && got[part].IsArray() && !DimsAgree(want[part], got[part]);
  }
  // Results that differ among themselves break a rule of their own.
  if (inst.opcode == Opcode::kReduceWindow && dims_differ && got.size() > 1) {
    for (const Shape& shape : got) {
      if (shape.IsArray() && got[0].IsArray() && !DimsAgree(shape, got[0])) return "C14";
    }
  }
  if ((inst.opcode == Opcode::kConvolution || inst.opcode == Opcode::kDynamicConvolution) &&
      inst.shape.IsArray() && inst.shape.rank() != inferred.rank()) {
    return "C26";
  }
  if (inst.opcode == Opcode::kConditional) {
    return inst.operand(0)->shape.element_type() == ElementType::kPred ? "C3" : "C4";
  }
  if (absl::string_view label = PartLabel(inst, part, dims_differ); !label.empty()) {
    return std::string(label);
  }
  const ResultLabels& labels = RowOf(inst.opcode).labels;
  const absl::string_view label = dims_differ ? labels.dims : labels.type;
  return label.empty() ? "result" : std::string(label);
}

}  // namespace halyard::hlo
