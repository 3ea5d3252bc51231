// The arithmetic of quantized types, and ops on them.
#include "frontend/hlo/values/quantized.h"

#include <algorithm>
#include <cmath>

#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {
namespace {

double Round(ElementType type, double value) {
  return type == ElementType::kF64 ? value : DecodeFloat(type, EncodeFloat(type, value));
}

// Returns which scale belongs to each element of an array of `shape`.
class Channels {
 public:
  Channels(const Shape& shape, const Quantization& quantization) {
    if (!quantization.dimension) return;
    stride_ = shape.WithDefaultLayout().Strides()[*quantization.dimension];
    size_ = shape.dim(*quantization.dimension);
  }
  size_t Of(int64_t index) const { return size_ == 1 ? 0 : index / stride_ % size_; }

 private:
  int64_t stride_ = 1, size_ = 1;
};

}  // namespace

Literal Dequantize(const Literal& stored, const Shape& type) {
  const Quantization& q = *type.quantization();
  const Shape shape = stored.shape().WithElementType(q.expressed);
  Channels channels(stored.shape(), q);
  std::vector<uint64_t> values = DecodeInts(stored);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] -= static_cast<uint64_t>(q.zero_points[channels.Of(i)]);
  }
  Literal wide = EncodeInts(shape.WithElementType(ElementType::kS64), values);
  std::vector<double> reals = DecodeFloats(ConvertLiteral(wide, q.expressed));
  for (size_t i = 0; i < reals.size(); ++i) reals[i] *= q.scales[channels.Of(i)];
  return EncodeFloats(shape, reals);
}

Literal Quantize(const Literal& real, const Shape& type) {
  const Quantization& q = *type.quantization();
  Channels channels(real.shape(), q);
  const double low = Round(q.expressed, static_cast<double>(q.storage_min));
  const double high = Round(q.expressed, static_cast<double>(q.storage_max));
  std::vector<double> values = DecodeFloats(real);
  std::vector<double> zeros;
  for (int64_t zero : q.zero_points) {
    zeros.push_back(Round(q.expressed, static_cast<double>(zero)));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    size_t channel = channels.Of(i);
    double value = Round(q.expressed, values[i] / q.scales[channel]);
    value = Round(q.expressed, value + zeros[channel]);
    if (!std::isnan(value)) value = std::min(std::max(value, low), high);
    values[i] = std::nearbyint(value);
  }
  Literal wide = EncodeFloats(real.shape().WithElementType(ElementType::kF64), values);
  std::vector<uint64_t> stored = DecodeInts(ConvertLiteral(wide, ElementType::kS64));
  for (uint64_t& value : stored) {
    int64_t clamped = std::clamp(static_cast<int64_t>(value), q.storage_min, q.storage_max);
    value = static_cast<uint64_t>(clamped);
  }
  return EncodeInts(real.shape().WithElementType(type.element_type()), stored);
}

Literal Requantize(const Literal& stored, const Shape& from, const Shape& to) {
  return Quantize(Dequantize(stored, from), to);
}

namespace {

// Quantizes each array of `real` that is quantized in `type`.
Literal QuantizeLeaves(const Literal& real, const Shape& type) {
  if (type.IsTuple()) {
    std::vector<Literal> elements;
    for (size_t i = 0; i < type.elements().size(); ++i) {
      elements.push_back(QuantizeLeaves(real.elements()[i], type.elements()[i]));
    }
    return Literal::Tuple(std::move(elements));
  }
  return type.quantization() == nullptr ? real : Quantize(real, type);
}

// Returns what processes receive to which nobody sends: zeros of the real numbers.
Literal QuantizedZeros(const Shape& type) {
  return Quantize(Literal(RealShape(type.WithDefaultLayout())), type);
}

absl::StatusOr<Literal> EvaluateReal(Evaluator& evaluator, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  if (inst.opcode == Opcode::kIsFinite) {  // by definition, whatever the float type
    Literal yes(Shape::Scalar(ElementType::kPred));
    yes.SetInt(0, 1);
    return Literal::Splat(inst.shape.WithDefaultLayout(), yes);
  }
  RealTwin twin(inst);
  std::vector<Literal> reals(operands.begin(), operands.end());
  for (size_t i = 0; i < reals.size(); ++i) {
    const Shape& type = inst.operands[i]->shape;
    if (type.quantization() != nullptr) reals[i] = Dequantize(reals[i], type);
  }
  absl::StatusOr<Literal> result = RowOf(inst.opcode).evaluate(evaluator, twin.inst(), reals);
  if (!result.ok()) return result;
  return QuantizeLeaves(*result, inst.shape);
}

}  // namespace

absl::StatusOr<Literal> EvaluateInstruction(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal> operands) {
  const OpRow& row = RowOf(inst.opcode);
  if (!IsQuantized(inst)) return row.evaluate(evaluator, inst, operands);
  switch (QuantizedRuleOf(inst.opcode).use) {
    case QuantizedUse::kReal:
      return EvaluateReal(evaluator, inst, operands);
    case QuantizedUse::kFold: {
      std::vector<Literal> promoted(operands.begin(), operands.end());
      for (size_t i = 0; i < promoted.size(); ++i) {
        std::optional<size_t> parameter = PromotedParameter(inst, i);
        const Shape& from = inst.operands[i]->shape;
        if (!parameter || !from.IsQuantized()) continue;
        const Shape& to = inst.called.back()->parameters()[*parameter]->shape;
        if (!SameElement(from, to)) promoted[i] = Requantize(promoted[i], from, to);
      }
      return row.evaluate(evaluator, inst, promoted);
    }
    default:
      return row.evaluate(evaluator, inst, operands);
  }
}

absl::StatusOr<Literal> EvaluateUniformQuantize(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  const Shape& from = inst.operand(0)->shape;
  return from.quantization() == nullptr ? Quantize(operands[0], inst.shape)
                                        : Requantize(operands[0], from, inst.shape);
}

absl::StatusOr<Literal> EvaluateUniformDequantize(Evaluator&, const Instruction& inst,
                                                  absl::Span<const Literal> operands) {
  return Dequantize(operands[0], inst.operand(0)->shape);
}

Literal RealZeros(const Shape& shape) {
  return shape.quantization() == nullptr ? Literal(shape.WithDefaultLayout())
                                         : QuantizedZeros(shape);
}

}  // namespace halyard::hlo
