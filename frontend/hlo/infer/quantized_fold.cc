#include "frontend/hlo/infer/quantized_fold.h"

#include <algorithm>
#include <iterator>

#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

// The constraints on the types of ops that fold.
struct FoldLabels {
  Opcode opcode;
  absl::string_view inputs;  // which agree with others: initial values, updates
  absl::string_view body;
};
constexpr FoldLabels kFoldLabels[] = {
    {Opcode::kReduce, "C2", "C6"},   {Opcode::kReduceWindow, "C3", "C13"},
    {Opcode::kScatter, "C6", "C23"}, {Opcode::kSelectAndScatter, "C1", "C10"},
    {Opcode::kAllReduce, "", "C5"},  {Opcode::kReduceScatter, "", "C7"},
    {Opcode::kSort, "", "C5"},       {Opcode::kMap, "", "C4"},
};

absl::Status RequireSameElement(absl::string_view label, const Shape& a, const Shape& b) {
  HLO_REQUIRE(SameElement(a, b), label, "element types differ: ", a.ToString(), " and ",
              b.ToString());
  return absl::OkStatus();
}

// Missing parameters are reported by the row of the op, here and below.
absl::Status RequireParameter(absl::string_view label, const Computation& body, size_t parameter,
                              const Shape& type) {
  if (parameter >= body.parameters().size()) return absl::OkStatus();
  const Shape& own = body.parameters()[parameter]->shape;
  HLO_REQUIRE(SameElement(own, type), label, "parameter ", parameter, " of the computation is ",
              own.ToString(), ", the operand ", type.ToString());
  return absl::OkStatus();
}

// A type promotes to types that express the same real numbers.
absl::Status RequirePromotion(absl::string_view label, const Computation& body, size_t parameter,
                              const Shape& type) {
  if (parameter >= body.parameters().size()) return absl::OkStatus();
  const Shape& own = body.parameters()[parameter]->shape;
  const Quantization *p = type.quantization(), *q = own.quantization();
  HLO_REQUIRE((p == nullptr) == (q == nullptr) && (p == nullptr || p->expressed == q->expressed),
              label, "operand of type ", type.ToString(), " does not promote to the computation's ",
              own.ToString());
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckQuantizedFold(const Instruction& inst) {
  const FoldLabels* labels = std::find_if(std::begin(kFoldLabels), std::end(kFoldLabels),
                                          [&](auto& row) { return row.opcode == inst.opcode; });
  auto agree = [&](absl::string_view label, size_t i, size_t j) {
    return RequireSameElement(label, inst.operands[i]->shape, inst.operands[j]->shape);
  };
  auto promotes = [&](const Computation& body, size_t parameter, const Shape& type) {
    return RequirePromotion(labels->body, body, parameter, type);
  };
  const Computation& body = *inst.called.back();
  size_t n = inst.operands.size(), half = n / 2;
  for (size_t i = 0; i < n; ++i) {
    const Shape& shape = inst.operands[i]->shape;
    switch (inst.opcode) {
      case Opcode::kSort:
        HLO_RETURN_IF_ERROR(RequireParameter(labels->body, body, 2 * i, shape));
        HLO_RETURN_IF_ERROR(RequireParameter(labels->body, body, 2 * i + 1, shape));
        break;
      case Opcode::kMap:
        HLO_RETURN_IF_ERROR(RequireParameter(labels->body, body, i, shape));
        break;
      case Opcode::kSelectAndScatter:
        if (i > 0) HLO_RETURN_IF_ERROR(agree(i == 1 ? "C1" : "C3", 0, i));
        if (i < 2)
          HLO_RETURN_IF_ERROR(RequireParameter("C9", *inst.called[0], i, inst.operand(0)->shape));
        HLO_RETURN_IF_ERROR(promotes(body, 0, shape));
        break;
      case Opcode::kScatter:
        if (i >= half) break;
        HLO_RETURN_IF_ERROR(agree(labels->inputs, i, half + 1 + i));
        HLO_RETURN_IF_ERROR(promotes(body, i, shape));
        break;
      case Opcode::kReduce:
      case Opcode::kReduceWindow:
        if (i >= half) break;
        HLO_RETURN_IF_ERROR(agree(labels->inputs, i, half + i));
        HLO_RETURN_IF_ERROR(promotes(body, i, shape));
        break;
      default:
        HLO_RETURN_IF_ERROR(promotes(body, 0, shape));
    }
  }
  return absl::OkStatus();
}

Shape WithResultTypes(const Instruction& inst, const Shape& inferred) {
  if (inst.opcode == Opcode::kSort) return inferred;
  std::vector<Shape> types = FlattenShape(inst.called.back()->root()->shape);
  auto give = [&](const Shape& shape, size_t i) {
    return i < types.size() ? shape.WithQuantization(types[i].shared_quantization()) : shape;
  };
  if (!inferred.IsTuple()) return give(inferred, 0);
  bool each = inst.opcode == Opcode::kAllReduce || inst.opcode == Opcode::kReduceScatter;
  std::vector<Shape> elements;
  for (size_t i = 0; i < inferred.elements().size(); ++i) {
    elements.push_back(give(inferred.elements()[i], each ? 0 : i));
  }
  return Shape::Tuple(std::move(elements));
}

}  // namespace halyard::hlo
