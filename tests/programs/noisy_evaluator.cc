#include "tests/programs/noisy_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::testing {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;

namespace {

// Returns whether the op only chooses or moves elements, or rounds correctly, on floats.
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

class NoiseSource {
 public:
  NoiseSource(double units, uint32_t seed) : units_(units), random_(seed) {}

  // Returns an infinity or NaN.
  double Extreme() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double extremes[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
    return extremes[random_() % 3];
  }

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
    // If terms cancel, what remains may just as well be zero, with either sign.
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
        // The errors of both parts are relative to the modulus.
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
  // The sign of a NaN is not defined.
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

Literal Flushed(const Literal& value) {
  if (value.shape().IsTuple()) {
    std::vector<Literal> elements;
    for (const Literal& element : value.elements()) elements.push_back(Flushed(element));
    return Literal::Tuple(std::move(elements));
  }
  if (!HasFloats(value.shape())) return value;
  const ElementType type = value.shape().element_type();
  const ElementType part = hlo::IsComplex(type) ? hlo::PartType(type) : type;
  if (part != ElementType::kF32 && part != ElementType::kBF16 && part != ElementType::kF64) {
    return value;
  }
  const double smallest = part == ElementType::kF64 ? std::numeric_limits<double>::min()
                                                    : std::numeric_limits<float>::min();
  auto flush = [&](double x) { return std::abs(x) < smallest ? std::copysign(0.0, x) : x; };
  Literal flushed = value;
  for (int64_t i = 0; i < value.shape().NumElements(); ++i) {
    if (hlo::IsComplex(type)) {
      const std::complex<double> c = value.GetComplex(i);
      flushed.SetComplex(i, {flush(c.real()), flush(c.imag())});
    } else if (const double x = value.GetFloat(i); x != 0 && std::abs(x) < smallest) {
      flushed.SetFloat(i, flush(x));
    }
  }
  return flushed;
}

// Returns the op with which a computation folds its two arguments, or kTuple.
Opcode FoldOf(const Instruction& inst) {
  if (inst.called.size() != 1) return Opcode::kTuple;
  const Instruction* root = inst.called[0]->root();
  return root->operands.size() == 2 && root->operand(0)->opcode == Opcode::kParameter &&
                 root->operand(1)->opcode == Opcode::kParameter &&
                 root->operand(0) != root->operand(1)
             ? root->opcode
             : Opcode::kTuple;
}

// Returns true for sums and false for products of many floats, in any order. A product of complex
// numbers is made of sums.
std::optional<bool> SumsOrMultiplies(const Instruction& inst) {
  if (!inst.shape.IsArray() || !HasFloats(inst.shape)) return std::nullopt;
  if (inst.opcode == Opcode::kMultiply && hlo::IsComplex(inst.shape.element_type())) return true;
  if (inst.opcode == Opcode::kDot || inst.opcode == Opcode::kConvolution) return true;
  if (inst.opcode != Opcode::kReduce && inst.opcode != Opcode::kReduceWindow) return std::nullopt;
  if (FoldOf(inst) == Opcode::kAdd) return true;
  return FoldOf(inst) == Opcode::kMultiply ? std::optional<bool>(false) : std::nullopt;
}

// The type in which values of `type` are summed and multiplied.
ElementType TypeOfSums(ElementType type) {
  return hlo::IsFloat(type) && hlo::BitWidth(type) < 32 ? ElementType::kF32 : type;
}

// Calls `size` with each number's magnitude.
template <typename Size>
Literal Sizes(const Literal& value, const Size& size) {
  const ElementType type = value.shape().element_type();
  Literal sizes = value;
  for (int64_t i = 0; i < value.shape().NumElements(); ++i) {
    if (hlo::IsComplex(type)) {
      sizes.SetComplex(i, size(std::abs(value.GetComplex(i))));
    } else {
      sizes.SetFloat(i, size(std::abs(value.GetFloat(i))));
    }
  }
  return sizes;
}

double OfTerm(double x) { return std::isfinite(x) ? x : 0; }
// At least 1, at most 1, and whether a factor is infinite.
double OfLargeFactor(double x) { return std::isfinite(x) ? std::max(x, 1.0) : 1; }
double OfSmallFactor(double x) { return std::isfinite(x) && x != 0 ? std::min(x, 1.0) : 1; }
double OfInfiniteFactor(double x) { return std::isinf(x) ? x : 1; }

class NoisyEvaluator {
 public:
  explicit NoisyEvaluator(const Noise& noise) : noise_(noise), source_(noise.units, noise.seed) {
    evaluator_.max_loop_iterations = kMaxIterations;
    evaluator_.multiply_padding = noise.units == 0 || noise.seed % 2 == 0;
  }

  absl::StatusOr<Values> Run(const hlo::Computation& computation,
                             absl::Span<const Literal> arguments) {
    Values values;
    for (const auto& inst : computation.instructions()) {
      if (inst->opcode == Opcode::kParameter) {
        values[inst->name] = arguments[inst->parameter_number];
        continue;
      }
      std::vector<Literal> operands;
      for (const Instruction* operand : inst->operands)
        operands.push_back(values.at(operand->name));
      absl::StatusOr<Literal> value = Value(*inst, operands);
      if (!value.ok()) return value.status();
      values[inst->name] = *std::move(value);
    }
    return values;
  }

 private:
  static constexpr int64_t kMaxIterations = 1000;

  absl::StatusOr<Literal> Call(const hlo::Computation& computation,
                               absl::Span<const Literal> arguments) {
    absl::StatusOr<Values> values = Run(computation, arguments);
    if (!values.ok()) return values.status();
    return values->at(computation.root()->name);
  }

  absl::StatusOr<Literal> Value(const Instruction& inst, std::vector<Literal>& operands) {
    const bool silent = noise_ == Noise();
    if (!silent) {
      if (inst.opcode == Opcode::kCall) return Call(*inst.called[0], operands);
      if (inst.opcode == Opcode::kWhile) return Loop(inst, operands[0]);
      if (inst.opcode == Opcode::kConditional) return Branch(inst, operands);
    }
    const bool floats = noise_.units > 0 && HasFloats(inst.shape);
    const bool noisy = floats && !IsExactOp(inst);
    const bool flush = noise_.flush && !MovesOnly(inst);
    for (size_t i = 0; i < operands.size(); ++i) {
      // For sums that cancel: the effect of their terms' errors on the result.
      if (noisy && inst.operand(i)->shape.IsArray()) operands[i] = source_.Of(operands[i], 0.5);
      if (flush) operands[i] = Flushed(operands[i]);
    }
    absl::StatusOr<Literal> value = hlo::RowOf(inst.opcode).evaluate(evaluator_, inst, operands);
    if (!value.ok() || silent) return value;
    if (noisy) {
      absl::Status status = Overflow(inst, operands, &*value);
      if (!status.ok()) return status;
    }
    // Without units, only the signs of NaNs change.
    Literal moved = floats ? source_.Of(*value, noisy ? 1 : 0) : *std::move(value);
    return flush ? Flushed(moved) : moved;
  }

  // If a sum or product may overflow in one order but not in another, or if a product of small
  // factors may become 0 before it meets an infinity, anything that follows from that is a possible
  // result.
  absl::Status Overflow(const Instruction& inst, absl::Span<const Literal> operands,
                        Literal* value) {
    const std::optional<bool> sum = SumsOrMultiplies(inst);
    if (!sum.has_value()) return absl::OkStatus();
    absl::StatusOr<Literal> largest = OfSizes(inst, operands, *sum ? OfTerm : OfLargeFactor);
    if (!largest.ok()) return largest.status();
    absl::StatusOr<Literal> least = *largest, infinite = *largest;
    if (!*sum) {
      least = OfSizes(inst, operands, OfSmallFactor);
      infinite = OfSizes(inst, operands, OfInfiniteFactor);
      if (!least.ok() || !infinite.ok()) return least.ok() ? infinite.status() : least.status();
    }
    const ElementType type = value->shape().element_type();
    // Denormals of narrow types are normal numbers where they are multiplied.
    const double normal = hlo::PartType(type) == ElementType::kF64
                              ? std::numeric_limits<double>::min()
                              : std::numeric_limits<float>::min();
    for (int64_t i = 0; i < value->shape().NumElements(); ++i) {
      const bool vanishes =
          !*sum && least->GetAsDouble(i) < normal && !std::isfinite(infinite->GetAsDouble(i));
      if (std::isfinite(largest->GetAsDouble(i)) && !vanishes) continue;
      const double other = source_.Extreme();
      if (hlo::IsComplex(type)) {
        value->SetComplex(i, {other, source_.Extreme()});
      } else {
        value->SetFloat(i, other);
      }
    }
    return absl::OkStatus();
  }

  // The op's result for the sizes of its operands, before it is rounded to a narrow type.
  absl::StatusOr<Literal> OfSizes(const Instruction& inst, absl::Span<const Literal> operands,
                                  double (*size)(double)) {
    std::vector<Literal> sizes;
    for (const Literal& operand : operands) {
      const ElementType type = TypeOfSums(operand.shape().element_type());
      sizes.push_back(Sizes(hlo::ConvertLiteral(operand, type), size));
    }
    Instruction wide = inst;
    wide.shape = inst.shape.WithElementType(TypeOfSums(inst.shape.element_type()));
    return hlo::RowOf(inst.opcode).evaluate(evaluator_, wide, sizes);
  }

  absl::StatusOr<Literal> Loop(const Instruction& inst, Literal state) {
    for (int64_t iteration = 0; iteration <= kMaxIterations; ++iteration) {
      absl::StatusOr<Literal> proceed = Call(*inst.called[0], {state});
      if (!proceed.ok() || proceed->GetInt(0) == 0) return proceed.ok() ? state : proceed;
      absl::StatusOr<Literal> next = Call(*inst.called[1], {state});
      if (!next.ok()) return next;
      state = *std::move(next);
    }
    return absl::ResourceExhaustedError("the loop goes on");
  }

  absl::StatusOr<Literal> Branch(const Instruction& inst, absl::Span<const Literal> operands) {
    const int64_t last = static_cast<int64_t>(inst.called.size()) - 1;
    int64_t index = operands[0].GetInt(0);
    if (operands[0].shape().element_type() == ElementType::kPred) {
      index = index != 0 ? 0 : 1;
    } else if (index < 0 || index > last) {
      index = last;
    }
    return Call(*inst.called[index], {operands[index + 1]});
  }

  const Noise noise_;
  NoiseSource source_;
  hlo::Evaluator evaluator_;
};

}  // namespace

bool MovesOnly(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kCopy:
    case Opcode::kOptimizationBarrier:
    case Opcode::kBitcastConvert:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kBroadcast:
    case Opcode::kSlice:
    case Opcode::kConcatenate:
    case Opcode::kPad:
    case Opcode::kReverse:
    case Opcode::kGather:
    case Opcode::kDynamicSlice:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kSelect:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kNegate:
    case Opcode::kAbs:
    case Opcode::kSort:
      return true;
    default:
      return false;
  }
}

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
                                const Noise& noise) {
  return NoisyEvaluator(noise).Run(*module.entry(), arguments);
}

}  // namespace halyard::testing
