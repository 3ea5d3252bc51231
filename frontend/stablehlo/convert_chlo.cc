// The CHLO ops that JAX leaves in exported programs.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

bool Converter::ConvertErf(const Operation& op, Frame& frame) {
  return Plain(op, frame, Opcode::kErf);
}

bool Converter::ConvertTan(const Operation& op, Frame& frame) {
  return Plain(op, frame, Opcode::kTan);
}

bool Converter::ConvertSquare(const Operation& op, Frame& frame) {
  Instructions operands;
  if (!Operands(op, frame, &operands)) return false;
  if (operands.size() != 1) return Fail(op, "needs one operand");
  operands.push_back(operands[0]);
  return Emit(op, frame, Opcode::kMultiply, std::move(operands));
}

bool Converter::ConvertTopK(const Operation& op, Frame& frame) {
  int64_t k = 0;
  Instructions operands;
  std::vector<Shape> results;
  if (!OpReader(op, errors_).Int("k", &k) || !Operands(op, frame, &operands) ||
      !ResultShapes(op, &results)) {
    return false;
  }
  if (operands.size() != 1 || !operands[0]->shape.IsArray() || operands[0]->shape.rank() < 1) {
    return Fail(op, "needs one tensor of at least one dimension");
  }
  const Shape& shape = operands[0]->shape;
  int64_t last = shape.rank() - 1;
  if (k < 0 || k > shape.dim(last)) {
    return Fail(op, absl::StrCat("k = ", k, " is not in [0, ", shape.dim(last), "]"));
  }
  std::vector<int64_t> taken = shape.dims();
  taken[last] = k;
  Shape values = shape.WithDims(taken);
  Shape positions = values.WithElementType(hlo::ElementType::kS32);
  if (results.size() != 2 || !(results[0] == values) || !(results[1] == positions)) {
    return Fail(op, absl::StrCat("must give ", values.ToString(), " and ", positions.ToString()));
  }
  AttrMap attrs;
  attrs.Set(Attr::kK, k);
  attrs.Set(Attr::kLargest, true);
  Instruction* topk = frame.computation->Add(Opcode::kTopK, Shape::Tuple({values, positions}),
                                             std::move(operands), std::move(attrs));
  for (int64_t i = 0; i < 2; ++i) {
    frame.values[op.results[i].get()] = Element(frame, topk, i);
  }
  return true;
}

}  // namespace halyard::stablehlo
