#include "tests/programs/noisy_evaluator.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "frontend/hlo/evaluator.h"
#include "frontend/hlo/op_table.h"

namespace halyard::testing {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

namespace {

// Ops that only choose or move elements, or round correctly, on floats.
bool IsExactOp(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kRemainder:
    case Opcode::kSqrt:
    case Opcode::kAbs:
    case Opcode::kSign:
      return !hlo::IsComplex(inst.operand(0)->shape.element_type()) ||
             inst.opcode == Opcode::kAdd || inst.opcode == Opcode::kSubtract;
    case Opcode::kPower:
    case Opcode::kAtan2:
    case Opcode::kDot:
    case Opcode::kConvolution:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter:
    case Opcode::kScatter:
    case Opcode::kFft:
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormGrad:
    case Opcode::kMap:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
      return false;
    default:
      return inst.opcode < Opcode::kExp || inst.opcode > Opcode::kErf;
  }
}

bool HasFloats(const hlo::Shape& shape) {
  if (shape.IsTuple()) {
    for (const hlo::Shape& element : shape.elements()) {
      if (HasFloats(element)) return true;
    }
    return false;
  }
  return shape.IsArray() &&
         (hlo::IsFloat(shape.element_type()) || hlo::IsComplex(shape.element_type()));
}

class Noise {
 public:
  Noise(double units, uint32_t seed) : units_(units), random_(seed) {}

  Literal Of(const Literal& value, double units) {
    if (value.shape().IsTuple()) {
      std::vector<Literal> elements;
      for (const Literal& element : value.elements()) elements.push_back(Of(element, units));
      return Literal::Tuple(std::move(elements));
    }
    if (!HasFloats(value.shape())) return value;
    const ElementType type = value.shape().element_type();
    const double unit =
        units_ * units *
        std::ldexp(1.0,
                   -hlo::FormatOf(hlo::IsComplex(type) ? hlo::PartType(type) : type).mantissa_bits);
    Literal moved = value;
    // What is left where terms cancel may as well be nothing, of either sign.
    double largest = 0;
    if (units == 1) {
      for (int64_t i = 0; i < value.shape().NumElements(); ++i) {
        const double x = std::abs(value.GetAsDouble(i));
        if (std::isfinite(x)) largest = std::max(largest, x);
      }
    }
    auto vanish = [&](double x) {
      return std::abs(x) <= 4 * unit * largest && random_() % 2 ? std::copysign(0.0, Draw()) : x;
    };
    for (int64_t i = 0; i < value.shape().NumElements(); ++i) {
      if (hlo::IsComplex(type)) {
        // Errors of either part are relative to the modulus.
        const std::complex<double> c = value.GetComplex(i);
        const double size = std::abs(c) * unit;
        if (std::isfinite(size))
          moved.SetComplex(i, {vanish(c.real() + size * Draw()), vanish(c.imag() + size * Draw())});
      } else {
        const double x = value.GetFloat(i);
        if (std::isfinite(x)) moved.SetFloat(i, vanish(x + x * unit * Draw()));
        if (std::isnan(x)) FlipSign(i, type, &moved);
      }
    }
    return moved;
  }

 private:
  // Nothing defines the sign of a NaN.
  void FlipSign(int64_t i, ElementType type, Literal* value) {
    if (!hlo::FormatOf(type).has_sign || random_() % 2) return;
    const uint64_t sign = uint64_t{1} << (hlo::BitWidth(type) - 1);
    const uint64_t bits = value->GetBits(i) ^ sign;
    if (std::isnan(hlo::DecodeFloat(type, bits))) value->SetBits(i, bits);
  }
  double Draw() { return static_cast<double>(random_() % 2001) / 1000.0 - 1; }

  double units_;
  std::mt19937 random_;
};

}  // namespace

bool IsInexact(const Instruction& instruction) {
  std::set<const Instruction*> seen;
  std::vector<const Instruction*> stack = {&instruction};
  while (!stack.empty()) {
    const Instruction* inst = stack.back();
    stack.pop_back();
    if (!seen.insert(inst).second) continue;
    bool floats = HasFloats(inst->shape);
    for (const Instruction* operand : inst->operands) {
      floats |= HasFloats(operand->shape);
      stack.push_back(operand);
    }
    if (floats && !IsExactOp(*inst)) return true;
  }
  return false;
}

absl::StatusOr<Values> Evaluate(const hlo::Module& module, absl::Span<const Literal> arguments,
                                double noise, uint32_t seed) {
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 1000;
  evaluator.multiply_padding = noise == 0 || seed % 2 == 0;
  Noise source(noise, seed);
  Values values;
  for (const auto& owned : module.entry()->instructions()) {
    const Instruction& inst = *owned;
    if (inst.opcode == Opcode::kParameter) {
      values[inst.name] = arguments[inst.parameter_number];
      continue;
    }
    const bool floats = noise > 0 && HasFloats(inst.shape);
    const bool noisy = floats && !IsExactOp(inst);
    std::vector<Literal> operands;
    for (const Instruction* operand : inst.operands) {
      const Literal& value = values.at(operand->name);
      // Sums that cancel: what their terms' errors make of the result.
      operands.push_back(noisy && operand->shape.IsArray() ? source.Of(value, 0.5) : value);
    }
    absl::StatusOr<Literal> value = hlo::RowOf(inst.opcode).evaluate(evaluator, inst, operands);
    if (!value.ok()) return value.status();
    // Without units, only the signs of NaNs change.
    values[inst.name] = floats ? source.Of(*value, noisy ? 1 : 0) : *std::move(value);
  }
  return values;
}

}  // namespace halyard::testing
