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

// (a, b, i, j) -> a > b; floats in total order, so that NaNs come first.
hlo::Computation* Converter::DescendingComparator(hlo::ElementType type) {
  hlo::Computation* comparator = module_.AddComputation("top_k_order");
  Instruction* lhs = comparator->AddParameter(0, Shape::Scalar(type));
  Instruction* rhs = comparator->AddParameter(1, Shape::Scalar(type));
  comparator->AddParameter(2, Shape::Scalar(hlo::ElementType::kS32));
  comparator->AddParameter(3, Shape::Scalar(hlo::ElementType::kS32));
  AttrMap attrs;
  attrs.Set(Attr::kDirection, std::string("GT"));
  if (hlo::IsFloat(type)) attrs.Set(Attr::kType, std::string("TOTALORDER"));
  comparator->set_root(comparator->Add(Opcode::kCompare, Shape::Scalar(hlo::ElementType::kPred),
                                       {lhs, rhs}, std::move(attrs)));
  return comparator;
}

// A stable sort of (values, positions) along the last dimension, and the first k of each: ties give
// the lower position.
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
  hlo::Computation* computation = frame.computation;
  AttrMap iota_attrs;
  iota_attrs.Set(Attr::kIotaDimension, last);
  Shape all_positions = shape.WithElementType(hlo::ElementType::kS32);
  Instruction* iota = computation->Add(Opcode::kIota, all_positions, {}, std::move(iota_attrs));
  AttrMap sort_attrs;
  sort_attrs.Set(Attr::kDimensions, Ints{last});
  sort_attrs.Set(Attr::kIsStable, true);
  hlo::Computation* order = DescendingComparator(shape.element_type());
  for (const auto& inst : order->instructions()) {
    inst->provenance = ProvenanceOf(op.offset, op.location);
  }
  Instruction* sort = computation->Add(Opcode::kSort, Shape::Tuple({shape, all_positions}),
                                       {operands[0], iota}, std::move(sort_attrs), {order});
  for (int64_t i = 0; i < 2; ++i) {
    hlo::SliceDims dims;
    for (int64_t size : taken) dims.push_back({0, size, 1});
    AttrMap attrs;
    attrs.Set(Attr::kSlice, std::move(dims));
    frame.values[op.results[i].get()] =
        computation->Add(Opcode::kSlice, results[i], {Element(frame, sort, i)}, std::move(attrs));
  }
  return true;
}

}  // namespace halyard::stablehlo
