#include "autotuner/rules/whole_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "autotuner/rules/terms.h"

namespace halyard::autotuner {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

namespace {

using Bounds = std::map<const Instruction*, double>;

// Returns a power of two that is at most the type's largest number.
double LargestOf(const hlo::FloatFormat& format) {
  return std::ldexp(1.0, (1 << format.exponent_bits) - 2 - format.bias);
}

std::optional<double> OfConstant(const Literal& literal) {
  double largest = 0;
  for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
    const double value = literal.GetFloat(i);
    if (value != std::floor(value) || !std::isfinite(value)) return std::nullopt;
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// Returns up to which bound partial sums are exact. They are kept in f32 or f64, or in the few bits
// of tensor cores.
double SumsAreExactUpTo(const Instruction& inst) {
  if (MultipliesEightBitFloats(inst)) return std::ldexp(1.0, 13);
  return inst.shape.element_type() == ElementType::kF64 ? std::ldexp(1.0, 53) : std::ldexp(1.0, 24);
}

bool BodyIs(const Instruction& inst, std::initializer_list<Opcode> opcodes) {
  const hlo::Computation& body = *inst.called.front();
  return body.instructions().size() == 3 &&
         std::find(opcodes.begin(), opcodes.end(), body.root()->opcode) != opcodes.end();
}

class Whole {
 public:
  explicit Whole(const Bounds& bounds) : bounds_(bounds) {}

  std::optional<double> Of(const Instruction& inst) const {
    const std::optional<double> bound = Bound(inst);
    if (!bound.has_value() || !(*bound <= 0x1p53)) return std::nullopt;
    // A whole number stays whole when it is rounded to a type of fewer bits, unless it overflows.
    const hlo::FloatFormat format = hlo::FormatOf(inst.shape.element_type());
    if (!format.has_sign || *bound > LargestOf(format)) return std::nullopt;
    return bound;
  }

 private:
  std::optional<double> At(const Instruction& inst, size_t i) const {
    const Instruction* operand = inst.operand(static_cast<int64_t>(i));
    if (!operand->shape.IsArray() || !hlo::IsFloat(operand->shape.element_type())) return 0;
    const auto found = bounds_.find(operand);
    if (found == bounds_.end()) return std::nullopt;
    return found->second;
  }
  // Returns the largest bound of all operands. Operands that are not floats only choose and place
  // elements, so they count as 0.
  std::optional<double> Largest(const Instruction& inst) const {
    double largest = 0;
    for (size_t i = 0; i < inst.operands.size(); ++i) {
      const std::optional<double> bound = At(inst, i);
      if (!bound.has_value()) return std::nullopt;
      largest = std::max(largest, *bound);
    }
    return largest;
  }

  std::optional<double> Sum(const Instruction& inst, double term) const {
    const double bound = term * TermsOf(inst);
    return bound <= SumsAreExactUpTo(inst) ? std::optional(bound) : std::nullopt;
  }

  std::optional<double> Bound(const Instruction& inst) const {
    switch (inst.opcode) {
      case Opcode::kParameter:
        return kLargestWhole;
      case Opcode::kConstant:
        return OfConstant(inst.literal);
      case Opcode::kConvert:
        if (!hlo::IsFloat(inst.operand(0)->shape.element_type())) return std::nullopt;
        return At(inst, 0);
      default:
        return ChoosesElements(inst.opcode) ? Largest(inst) : OfArithmetic(inst);
    }
  }

  std::optional<double> OfArithmetic(const Instruction& inst) const {
    if (inst.operands.empty()) return std::nullopt;
    for (const Instruction* operand : inst.operands) {
      if (!operand->shape.IsArray() || !hlo::IsFloat(operand->shape.element_type()))
        return std::nullopt;
    }
    const std::optional<double> a = At(inst, 0);
    const std::optional<double> b = inst.operands.size() > 1 ? At(inst, 1) : a;
    if (!a.has_value() || !b.has_value()) return std::nullopt;
    switch (inst.opcode) {
      case Opcode::kAdd:
      case Opcode::kSubtract:
        return *a + *b;
      case Opcode::kMultiply:
        return *a * *b;
      case Opcode::kDot:
      case Opcode::kConvolution:
        // An algorithm may round factors to bf16 first.
        if (inst.Has(hlo::Attr::kAlgorithm) && std::max(*a, *b) > 256) return std::nullopt;
        return Sum(inst, *a * *b);
      case Opcode::kReduce:
      case Opcode::kReduceWindow:
        if (inst.operands.size() != 2) return std::nullopt;
        if (BodyIs(inst, {Opcode::kMaximum, Opcode::kMinimum})) return std::max(*a, *b);
        if (BodyIs(inst, {Opcode::kAdd}) && *b == 0) return Sum(inst, *a);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  const Bounds& bounds_;
};

}  // namespace

std::map<const Instruction*, double> WholeNumbers(const hlo::Module& module) {
  Bounds bounds;
  const Whole whole(bounds);
  for (const auto& inst : module.entry()->instructions()) {
    if (!inst->shape.IsArray() || !hlo::IsFloat(inst->shape.element_type())) continue;
    if (const std::optional<double> bound = whole.Of(*inst)) bounds[inst.get()] = *bound;
  }
  return bounds;
}

}  // namespace halyard::autotuner
