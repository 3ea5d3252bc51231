// Shapes and labelled constraints of ops on quantized types. The constraints that concern
// quantization are here. The others are checked by the inference of the row, on the stored integers
// or on the real numbers of the type.
#include "frontend/hlo/values/quantized.h"

#include <algorithm>

#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/infer/quantized_fold.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

bool HasPerAxis(const Shape& shape) {
  return IsPerAxis(shape) ||
         std::any_of(shape.elements().begin(), shape.elements().end(), HasPerAxis);
}

absl::Status RequireAllowed(const Instruction& inst, const QuantizedRule& rule) {
  auto check = [&](const Shape& shape, bool allowed, const std::string& label,
                   const std::string& name) -> absl::Status {
    if (!shape.IsQuantized()) return absl::OkStatus();
    HLO_REQUIRE(allowed && rule.use != QuantizedUse::kNone, label, name,
                " must not be quantized, is ", shape.ToString());
    HLO_REQUIRE(rule.per_axis || !HasPerAxis(shape), label, name,
                " must not be quantized per axis, is ", shape.ToString());
    return absl::OkStatus();
  };
  int count = static_cast<int>(inst.operands.size());
  bool indices = inst.opcode == Opcode::kScatter;  // between inputs and updates
  for (int i = 0; i < count; ++i) {
    bool allowed = i >= rule.first && (rule.last < 0 || i < rule.last);
    if (indices && i == count / 2) allowed = false;
    HLO_RETURN_IF_ERROR(check(inst.operands[i]->shape, allowed, absl::StrCat("I", i + 1),
                              absl::StrCat("operand ", i)));
  }
  return check(inst.shape, true, "O1", "the result");
}

// Checks that all operands of the rule have the same type.
absl::Status RequireAgreement(const Instruction& inst, const QuantizedRule& rule) {
  if (rule.agree.empty()) return absl::OkStatus();
  size_t end = rule.last < 0 ? inst.operands.size() : static_cast<size_t>(rule.last);
  const Shape& first = inst.operands[rule.first]->shape;
  for (size_t i = rule.first; i < std::min(end, inst.operands.size()); ++i) {
    const Shape& shape = inst.operands[i]->shape;
    bool same = rule.use == QuantizedUse::kReal ? SameBaselineElement(first, shape)
                                                : SameElement(first, shape);
    HLO_REQUIRE(same, rule.agree, "element types differ: ", first.ToString(), " and ",
                shape.ToString());
  }
  return absl::OkStatus();
}

const Quantization* QuantizationOf(const Instruction& inst, size_t operand) {
  return inst.operands[operand]->shape.quantization();
}

absl::Status CheckAdd(const Instruction& inst) {
  const Quantization *lhs = QuantizationOf(inst, 0), *rhs = QuantizationOf(inst, 1);
  const Quantization* result = inst.shape.quantization();
  const std::string types =
      absl::StrCat(inst.operand(0)->shape.ToString(), ", ", inst.operand(1)->shape.ToString(),
                   " and ", inst.shape.ToString());
  HLO_REQUIRE(lhs != nullptr && rhs != nullptr && result != nullptr, "C2",
              "all three must be quantized: ", types);
  ElementType storage = inst.shape.element_type();
  HLO_REQUIRE(inst.operand(0)->shape.element_type() == storage &&
                  inst.operand(1)->shape.element_type() == storage,
              "C3", "storage types differ: ", types);
  HLO_REQUIRE(lhs->expressed == result->expressed && rhs->expressed == result->expressed, "C4",
              "expressed types differ: ", types);
  HLO_REQUIRE((lhs->dimension || rhs->dimension) == result->dimension.has_value(), "C5",
              "the result must be quantized per axis if an operand is, and only then: ", types);
  HLO_REQUIRE(!lhs->dimension || lhs->dimension == result->dimension, "C6",
              "lhs and result have different quantization dimensions: ", types);
  HLO_REQUIRE(!rhs->dimension || rhs->dimension == result->dimension, "C7",
              "rhs and result have different quantization dimensions: ", types);
  return absl::OkStatus();
}

// The labels of dot_general and convolution.
struct ProductLabels {
  absl::string_view together, storage, expressed, per_tensor, hybrid;
};

absl::Status CheckProduct(const Instruction& inst, const ProductLabels& labels) {
  const Shape &lhs = inst.operand(0)->shape, &rhs = inst.operand(1)->shape;
  const Quantization *p = lhs.quantization(), *q = rhs.quantization();
  const Quantization* r = inst.shape.quantization();
  const std::string types =
      absl::StrCat(lhs.ToString(), ", ", rhs.ToString(), " and ", inst.shape.ToString());
  HLO_REQUIRE(!IsPerAxis(lhs), "I1", "operand 0 must not be quantized per axis, is ",
              lhs.ToString());
  HLO_REQUIRE(q != nullptr && (p == nullptr) == (r == nullptr), labels.together,
              "lhs and result are quantized both or neither, and rhs is: ", types);
  if (p != nullptr) {
    HLO_REQUIRE(lhs.element_type() == rhs.element_type(), labels.storage,
                "storage types of the operands differ: ", types);
    HLO_REQUIRE(p->expressed == q->expressed && p->expressed == r->expressed, labels.expressed,
                "expressed types differ: ", types);
    HLO_REQUIRE(q->dimension || !r->dimension, labels.per_tensor,
                "a per-tensor rhs gives a per-tensor result: ", types);
    return absl::OkStatus();
  }
  HLO_REQUIRE(lhs.element_type() == q->expressed && inst.shape.element_type() == q->expressed,
              labels.hybrid, "lhs and result must have the expressed type of rhs: ", types);
  return absl::OkStatus();
}

absl::Status CheckDot(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(CheckProduct(inst, {"C14", "C17", "C18", "C19", "C20"}));
  const Quantization& rhs = *QuantizationOf(inst, 1);
  for (int64_t zero : rhs.zero_points) {
    HLO_REQUIRE(zero == 0, "C15", "zero points of rhs must be 0, one is ", zero);
  }
  HLO_REQUIRE(!rhs.dimension || !Contains(inst.GetInts(Attr::kRhsContractingDims), *rhs.dimension),
              "C16", "the quantization dimension ", *rhs.dimension, " of rhs is contracted");
  return absl::OkStatus();
}

absl::Status CheckConvolution(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(CheckProduct(inst, {"C28", "C31", "C32", "C33", "C34"}));
  const Quantization *rhs = QuantizationOf(inst, 1), *result = inst.shape.quantization();
  const ConvDims& d = inst.GetConvDims();
  HLO_REQUIRE(!rhs->dimension || *rhs->dimension == d.kernel_output_feature, "C29",
              "the quantization dimension ", *rhs->dimension,
              " of rhs must be the kernel's output feature dimension ", d.kernel_output_feature);
  HLO_REQUIRE(result == nullptr || !result->dimension || *result->dimension == d.output_feature,
              "C30", "the quantization dimension ", *result->dimension,
              " of the result must be the output feature dimension ", d.output_feature);
  return absl::OkStatus();
}

absl::Status CheckReshape(const Shape& from, const Shape& to) {
  HLO_REQUIRE(SameElementAcross(from, to, /*any_scales=*/false), "C1",
              "element types differ: ", from.ToString(), " and ", to.ToString());
  if (!IsPerAxis(from)) return absl::OkStatus();
  // Returns the number of elements before the quantization dimension, along it and after it.
  auto parts = [](const Shape& shape) {
    int64_t axis = *shape.quantization()->dimension;
    std::vector<int64_t> products = {1, shape.dim(axis), 1};
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (d != axis) products[d < axis ? 0 : 2] *= shape.dim(d);
    }
    return products;
  };
  // Sizes that are not known yet are compared when the program runs.
  if (from.IsDynamic() || to.IsDynamic()) return absl::OkStatus();
  HLO_REQUIRE(parts(from) == parts(to), "C3", "before, in and after the quantization dimension ",
              from.ToString(), " has ", Listed(parts(from)), " elements, ", to.ToString(), " ",
              Listed(parts(to)));
  return absl::OkStatus();
}

absl::Status CheckTranspose(const Instruction& inst) {
  const Shape& from = inst.operand(0)->shape;
  HLO_REQUIRE(SameElementAcross(from, inst.shape, /*any_scales=*/false), "C1",
              "element types differ: ", from.ToString(), " and ", inst.shape.ToString());
  if (!IsPerAxis(from)) return absl::OkStatus();
  const Ints& permutation = inst.GetInts(Attr::kDimensions);
  int64_t to = *inst.shape.quantization()->dimension;
  HLO_REQUIRE(to < static_cast<int64_t>(permutation.size()) &&
                  permutation[to] == *from.quantization()->dimension,
              "C4", "dimension ", *from.quantization()->dimension,
              ", the operand's quantization dimension, does not become dimension ", to);
  return absl::OkStatus();
}

absl::Status CheckOwn(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kAdd:
      return CheckAdd(inst);
    case Opcode::kDot:
      return CheckDot(inst);
    case Opcode::kConvolution:
    case Opcode::kDynamicConvolution:
      return CheckConvolution(inst);
    case Opcode::kReshape:
    case Opcode::kDynamicReshape:
      return CheckReshape(inst.operand(0)->shape, inst.shape);
    case Opcode::kTranspose:
      return CheckTranspose(inst);
    case Opcode::kBroadcast:
    case Opcode::kDynamicBroadcastInDim:
      return CheckQuantizedBroadcast(inst.operand(0)->shape, inst.GetInts(Attr::kDimensions),
                                     inst.shape);
    default:
      return absl::OkStatus();
  }
}

// Returns the type of the result of an op that is `real` on real numbers.
Shape QuantizedResult(const Instruction& inst, const QuantizedRule& rule, const Shape& real,
                      const Shape& recorded) {
  if (real.IsTuple()) {
    std::vector<Shape> elements;
    for (size_t i = 0; i < real.elements().size(); ++i) {
      bool known = recorded.IsTuple() && i < recorded.elements().size();
      elements.push_back(QuantizedResult(inst, rule, real.elements()[i],
                                         known ? recorded.elements()[i] : Shape()));
    }
    return Shape::Tuple(std::move(elements));
  }
  auto as = [&](const Shape& type) {
    return real.WithElementType(type.element_type()).WithQuantization(type.shared_quantization());
  };
  // compare and is_finite give booleans.
  if (real.element_type() == ElementType::kPred) return real;
  // These ops have constraints of their own, which have been checked. A hybrid product is not
  // quantized.
  bool own = inst.opcode == Opcode::kAdd || inst.opcode == Opcode::kDot ||
             inst.opcode == Opcode::kConvolution || inst.opcode == Opcode::kDynamicConvolution ||
             inst.opcode == Opcode::kIota || inst.opcode == Opcode::kDynamicIota;
  if (own) return recorded.quantization() != nullptr ? as(recorded) : real;
  const Shape& operand = inst.operands[rule.first]->shape;
  return SameBaselineElement(operand, recorded) ? as(recorded) : as(operand);
}

}  // namespace

absl::Status CheckQuantizedBroadcast(const Shape& operand, absl::Span<const int64_t> dims,
                                     const Shape& result) {
  HLO_REQUIRE(SameElementAcross(operand, result, /*any_scales=*/true), "C1",
              "element types differ: ", operand.ToString(), " and ", result.ToString());
  if (!IsPerAxis(operand)) return absl::OkStatus();
  const Quantization &from = *operand.quantization(), &to = *result.quantization();
  size_t axis = static_cast<size_t>(*from.dimension);
  HLO_REQUIRE(axis < dims.size() && dims[axis] == *to.dimension, "C6", "dimension ", axis,
              ", the operand's quantization dimension, does not become dimension ", *to.dimension);
  bool stretched = from.scales.size() == 1;
  for (size_t i = 0; i < to.scales.size(); ++i) {
    size_t j = stretched ? 0 : i;
    HLO_REQUIRE(j < from.scales.size() && from.scales[j] == to.scales[i] &&
                    from.zero_points[j] == to.zero_points[i],
                "C6", "scale or zero point ", i,
                " of the result is not the operand's: ", operand.ToString(), " and ",
                result.ToString());
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> InferQuantized(const Instruction& inst) {
  const OpRow& row = RowOf(inst.opcode);
  const QuantizedRule rule = QuantizedRuleOf(inst.opcode);
  HLO_RETURN_IF_ERROR(CheckQuantizedShape(inst.shape));
  HLO_RETURN_IF_ERROR(RequireAllowed(inst, rule));
  HLO_RETURN_IF_ERROR(RequireAgreement(inst, rule));
  if (rule.use == QuantizedUse::kFold) {
    HLO_RETURN_IF_ERROR(CheckQuantizedFold(inst));
    absl::StatusOr<Shape> shape = row.infer(inst);
    if (!shape.ok()) return shape.status();
    return WithResultTypes(inst, *shape);
  }
  HLO_RETURN_IF_ERROR(CheckOwn(inst));
  if (rule.use == QuantizedUse::kReal) {
    RealTwin twin(inst);
    absl::StatusOr<Shape> real = row.infer(twin.inst());
    if (!real.ok()) return real.status();
    return QuantizedResult(inst, rule, *real, inst.shape);
  }
  absl::StatusOr<Shape> shape = row.infer(inst);
  // The quantization dimension of a per-axis type moves, too.
  if (shape.ok() && inst.opcode == Opcode::kTranspose) {
    return shape->WithQuantization(inst.shape.shared_quantization());
  }
  return shape;
}

absl::StatusOr<Shape> InferUniformQuantize(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  const Quantization *from = operand.quantization(), *to = inst.shape.quantization();
  HLO_REQUIRE(to != nullptr, "O1", "the result must be quantized, is ", inst.shape.ToString());
  HLO_REQUIRE(from != nullptr || IsFloat(operand.element_type()), "I1",
              "the operand must be of floats or quantized, is ", operand.ToString());
  HLO_REQUIRE(inst.shape.IsArray() && DimsAgree(inst.shape, operand), "C1",
              "shapes differ: ", operand.ToString(), " and ", inst.shape.ToString());
  ElementType real = from != nullptr ? from->expressed : operand.element_type();
  HLO_REQUIRE(to->expressed == real, "C2", "the result expresses ", HloName(to->expressed),
              ", the operand is ", HloName(real));
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferUniformDequantize(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& operand = inst.operand(0)->shape;
  HLO_REQUIRE(operand.quantization() != nullptr, "I1", "the operand must be quantized, is ",
              operand.ToString());
  HLO_REQUIRE(inst.shape.IsArray() && DimsAgree(inst.shape, operand), "C1",
              "shapes differ: ", operand.ToString(), " and ", inst.shape.ToString());
  ElementType real = operand.quantization()->expressed;
  HLO_REQUIRE(inst.shape.quantization() == nullptr && inst.shape.element_type() == real, "C2",
              "the result must be of ", HloName(real), ", is ", inst.shape.ToString());
  return inst.shape.WithDefaultLayout();
}

}  // namespace halyard::hlo
