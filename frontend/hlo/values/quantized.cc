#include "frontend/hlo/values/quantized.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {

int64_t MinValue(ElementType integer) {
  return IsSigned(integer) ? -(int64_t{1} << (BitWidth(integer) - 2)) * 2 : 0;
}

int64_t MaxValue(ElementType integer) {
  if (IsSigned(integer)) return -(MinValue(integer) + 1);
  return BitWidth(integer) < 64 ? (int64_t{1} << BitWidth(integer)) - 1
                                : std::numeric_limits<int64_t>::max();
}

namespace {

// Returns whether a - b fits 64 bits.
bool DifferenceFits(int64_t a, int64_t b) {
  int64_t ignored;
  return !__builtin_sub_overflow(a, b, &ignored);
}

}  // namespace

absl::Status CheckQuantization(ElementType storage, const Quantization& q) {
#define HALYARD_CHECK_TYPE(condition, label, ...) \
  HLO_REQUIRE(condition, absl::StrCat("quantized type ", label), __VA_ARGS__)
  HALYARD_CHECK_TYPE(IsInteger(storage) && storage != ElementType::kU64, "C1", HloName(storage),
                     " is no storage type: integers of up to 64 bits are, but for u64");
  HALYARD_CHECK_TYPE(IsFloat(q.expressed), "C4", "the expressed type must be a float type, is ",
                     HloName(q.expressed));
  HALYARD_CHECK_TYPE(MinValue(storage) <= q.storage_min && q.storage_min < q.storage_max &&
                         q.storage_max <= MaxValue(storage),
                     "C3", "the storage range ", q.storage_min, " to ", q.storage_max,
                     " is not within that of ", HloName(storage), ", ", MinValue(storage), " to ",
                     MaxValue(storage));
  HALYARD_CHECK_TYPE(q.scales.size() == q.zero_points.size(), "C9", q.scales.size(), " scales and ",
                     q.zero_points.size(), " zero points");
  HALYARD_CHECK_TYPE(!q.scales.empty(), q.dimension ? "C13" : "C10", "there is no scale");
  for (double scale : q.scales) {
    HALYARD_CHECK_TYPE(std::isfinite(scale), "C6", "a scale is not finite in ",
                       HloName(q.expressed), ": ", scale);
    HALYARD_CHECK_TYPE(scale > 0, "C5", "a scale is not positive in ", HloName(q.expressed), ": ",
                       scale);
  }
  for (int64_t zero : q.zero_points) {
    HALYARD_CHECK_TYPE(q.storage_min <= zero && zero <= q.storage_max, "C7", "the zero point ",
                       zero, " is not in the storage range ", q.storage_min, " to ", q.storage_max);
    // This limit is our own. It only concerns 64-bit types.
    HALYARD_CHECK_TYPE(DifferenceFits(q.storage_max, zero) && DifferenceFits(q.storage_min, zero),
                       "C7", "values less the zero point ", zero, " do not fit 64 bits");
  }
  if (!q.dimension) {
    HALYARD_CHECK_TYPE(q.scales.size() == 1, "C10", q.scales.size(),
                       " scales without a quantization dimension");
  } else {
    HALYARD_CHECK_TYPE(*q.dimension >= 0, "C11", "the quantization dimension ", *q.dimension,
                       " is negative");
  }
  return absl::OkStatus();
}

absl::Status CheckQuantizedShape(const Shape& shape) {
  for (const Shape& element : shape.elements()) {
    HLO_RETURN_IF_ERROR(CheckQuantizedShape(element));
  }
  if (shape.quantization() == nullptr) return absl::OkStatus();
  const Quantization& q = *shape.quantization();
  HLO_RETURN_IF_ERROR(CheckQuantization(shape.element_type(), q));
  if (!q.dimension) return absl::OkStatus();
  HALYARD_CHECK_TYPE(*q.dimension < shape.rank(), "C12", "there is no dimension ", *q.dimension,
                     " in ", shape.ToString());
  int64_t size = shape.dim(*q.dimension);
  HALYARD_CHECK_TYPE(size == static_cast<int64_t>(q.scales.size()) || size == Shape::kUnbounded,
                     "C13", q.scales.size(), " scales for dimension ", *q.dimension, " of size ",
                     size);
#undef HALYARD_CHECK_TYPE
  return absl::OkStatus();
}

void RoundScales(Quantization* quantization) {
  for (double& scale : quantization->scales) {
    scale = DecodeFloat(quantization->expressed, EncodeFloat(quantization->expressed, scale));
  }
}

bool IsPerAxis(const Shape& shape) {
  return shape.quantization() != nullptr && shape.quantization()->dimension.has_value();
}

bool SameBaselineElement(const Shape& a, const Shape& b) {
  if (!a.IsArray() || !b.IsArray() || a.element_type() != b.element_type()) return false;
  const Quantization *p = a.quantization(), *q = b.quantization();
  if (p == nullptr || q == nullptr) return p == q;
  return p->expressed == q->expressed && p->storage_min == q->storage_min &&
         p->storage_max == q->storage_max && p->dimension == q->dimension;
}

bool SameElement(const Shape& a, const Shape& b) {
  return SameBaselineElement(a, b) &&
         (a.quantization() == nullptr || *a.quantization() == *b.quantization());
}

bool SameElementAcross(const Shape& a, const Shape& b, bool any_scales) {
  if (!a.IsArray() || !b.IsArray() || a.element_type() != b.element_type()) return false;
  if (a.quantization() == nullptr || b.quantization() == nullptr) {
    return a.quantization() == b.quantization();
  }
  Quantization p = *a.quantization(), q = *b.quantization();
  if (p.dimension && q.dimension) {
    q.dimension = p.dimension;
    if (any_scales) {
      q.scales = p.scales;
      q.zero_points = p.zero_points;
    }
  }
  return p == q;
}

bool IsQuantized(const Instruction& inst) {
  if (inst.shape.IsQuantized()) return true;
  for (const Instruction* operand : inst.operands) {
    if (operand->shape.IsQuantized()) return true;
  }
  return false;
}

Shape RealShape(const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(RealShape(element));
    return Shape::Tuple(std::move(elements));
  }
  const Quantization* quantization = shape.quantization();
  return quantization == nullptr ? shape : shape.WithElementType(quantization->expressed);
}

RealTwin::RealTwin(const Instruction& inst) : inst_(inst) {
  inst_.shape = RealShape(inst.shape);
  operands_.reserve(inst.operands.size());
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    Instruction& operand = operands_.emplace_back();
    operand.opcode = Opcode::kParameter;
    operand.shape = RealShape(inst.operands[i]->shape);
    operand.name = inst.operands[i]->name;
    inst_.operands[i] = &operand;
  }
}

std::optional<size_t> PromotedParameter(const Instruction& inst, size_t i) {
  const size_t half = inst.operands.size() / 2;
  switch (inst.opcode) {
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
      return i;
    case Opcode::kScatter:
      if (i == half) return std::nullopt;  // the indices
      return i < half ? i : i - 1;
    case Opcode::kAllReduce:
    case Opcode::kReduceScatter:
      return 0;
    case Opcode::kSelectAndScatter:
      if (i == 0) return std::nullopt;  // compared as it is
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace halyard::hlo
