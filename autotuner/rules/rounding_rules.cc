#include "autotuner/rules/rounding_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "autotuner/rules/terms.h"
#include "autotuner/rules/whole_numbers.h"
#include "lowering/kernels/attention/form.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/kernels/winograd/form.h"

namespace halyard::autotuner {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

namespace {

constexpr double kMostUnits = 4;
// The unit to which sums of products of 8-bit floats are rounded, and how many products are added
// at a time.
constexpr double kShortUnit = 0x1p-13, kShortStep = 32;

// Returns the distance from 1 to the next larger number of the type.
double UnitOf(ElementType type) {
  return std::ldexp(1.0, -hlo::FormatOf(hlo::PartType(type)).mantissa_bits);
}

// How far a value may be off.
struct Error {
  double sums = 0;     // unit of the type of sums and functions; 0 if there are none
  double element = 0;  // relative to each element
  double inner = 0;    // relative to the largest element
  double unit = 0;     // the largest unit of the types to which values were rounded
  double cut = 0;      // relative to the largest: what tensor cores cut off sums

  bool any() const { return sums > 0 || element > 0 || inner > 0 || cut > 0; }
  // Takes the larger error in each field.
  void Join(const Error& other) {
    sums = std::max(sums, other.sums);
    element = std::max(element, other.element);
    inner = std::max(inner, other.inner);
    unit = std::max(unit, other.unit);
    cut = std::max(cut, other.cut);
  }
};

// Returns whether the results are elements of operands, or parts or positions of elements, so that
// nothing is rounded.
bool OnlyMoves(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kSort:
    case Opcode::kSortPass:
    case Opcode::kTopK:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    case Opcode::kConvert: {
      const Shape& from = inst.operand(0)->shape;
      return IsFloating(from) && IsFloating(inst.shape) &&
             UnitOf(from.element_type()) >= UnitOf(inst.shape.element_type());
    }
    default:
      return ChoosesElements(inst.opcode);
  }
}

bool IsStrict(Opcode opcode) {
  return opcode == Opcode::kAdd || opcode == Opcode::kSubtract || opcode == Opcode::kMultiply ||
         opcode == Opcode::kDivide || opcode == Opcode::kRemainder || opcode == Opcode::kSqrt ||
         opcode == Opcode::kSign;
}

// Returns whether a fold only chooses elements: maxima, or their positions.
bool FoldChooses(const Instruction& inst) {
  for (const hlo::Computation* body : inst.called) {
    for (const auto& step : body->instructions()) {
      if (IsFloating(step->shape) && step->opcode != Opcode::kParameter &&
          step->opcode != Opcode::kConstant && !OnlyMoves(*step)) {
        return false;
      }
    }
  }
  return true;
}

// Returns whether the op sums or multiplies terms, which compiled code rounds to a narrow type
// once, when they are complete.
bool SumsOrMultiplies(const Instruction& inst) {
  if (inst.opcode != Opcode::kReduce && inst.opcode != Opcode::kReduceWindow) return false;
  if (inst.operands.size() != 2) return false;
  const std::optional<Opcode> op = lowering::SingleCommutativeOp(*inst.called[0]);
  return op == Opcode::kAdd || op == Opcode::kMultiply;
}

// Returns the unit of the floats with the fewest bits to which values are rounded in the
// computations that the op calls.
double UnitInside(const Instruction& inst) {
  if (SumsOrMultiplies(inst)) return 0;
  double unit = 0;
  // The algorithm of a dot may round its factors.
  if (inst.opcode == Opcode::kDot) {
    const FactorRounding rounding = FactorRoundingOf(inst);
    if (rounding == FactorRounding::kBf16) {
      unit = UnitOf(ElementType::kBF16);
    } else if (rounding != FactorRounding::kNone) {
      unit = UnitOf(ElementType::kF16);  // tf32 has as many bits
    }
  }
  for (const hlo::Computation* body : inst.called) {
    for (const auto& step : body->instructions()) {
      if (IsFloating(step->shape) && step->opcode != Opcode::kParameter)
        unit = std::max(unit, UnitOf(step->shape.element_type()));
      unit = std::max(unit, UnitInside(*step));
    }
  }
  return unit;
}

// Returns whether the bits of the result are defined if those of the operands are.
bool IsExact(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kMap:
      return FoldChooses(inst);
    case Opcode::kDot:
    case Opcode::kConvolution:
    case Opcode::kPower:
    case Opcode::kAtan2:
    case Opcode::kFft:
    case Opcode::kFftPass:
    case Opcode::kUnscaledFft:
    case Opcode::kCholesky:
    case Opcode::kCholeskyBlock:
    case Opcode::kTriangularSolve:
    case Opcode::kTriangularBlock:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormGrad:
    case Opcode::kSelectAndScatter:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kCustomCall:
    case Opcode::kRng:
      return false;
    default:
      break;
  }
  if (IsInexact(inst.opcode)) {
    return inst.opcode == Opcode::kSqrt && !hlo::IsComplex(inst.shape.element_type());
  }
  const bool complex = IsFloating(inst.shape) && hlo::IsComplex(inst.shape.element_type());
  return !complex || inst.opcode == Opcode::kAdd || inst.opcode == Opcode::kSubtract ||
         OnlyMoves(inst) || !IsStrict(inst.opcode);
}

bool HasOnlyIntegers(const Instruction& inst) {
  auto is_integer = [](const Shape& shape) { return shape.IsArray() && !IsFloating(shape); };
  return is_integer(inst.shape) &&
         std::all_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Instruction* operand) { return is_integer(operand->shape); });
}

class Analysis {
 public:
  Analysis(const hlo::Module& module, InputKind kind, const Specials& specials)
      : short_sums_(specials.short_sums) {
    if (kind == InputKind::kWhole) whole_ = WholeNumbers(module);
    for (const auto& inst : module.entry()->instructions()) {
      errors_[inst.get()] = Of(*inst);
    }
    for (const auto& computation : module.computations()) {
      for (const auto& inst : computation->instructions()) {
        if (IsFloating(inst->shape) && !IsWhole(*inst)) terms_ = std::max(terms_, TermsOf(*inst));
      }
    }
  }

  // Returns the errors of the result's leaves, in order.
  std::vector<std::pair<Shape, Error>> Results(const Instruction& root) const {
    std::vector<std::pair<Shape, Error>> results;
    for (size_t i = 0; i < root.operands.size() && root.opcode == Opcode::kTuple; ++i) {
      for (auto& one : Results(*root.operands[i])) results.push_back(std::move(one));
    }
    if (root.opcode == Opcode::kTuple) return results;
    for (const Shape& shape : hlo::FlattenShape(root.shape))
      results.emplace_back(shape, errors_.at(&root));
    return results;
  }

  double terms() const { return terms_; }

 private:
  bool IsWhole(const Instruction& inst) const {
    if (whole_.count(&inst) == 0) return false;
    // Winograd's algorithm multiplies by fractions.
    return inst.opcode != Opcode::kConvolution || !lowering::HasWinogradForm(inst);
  }

  Error Of(const Instruction& inst) const {
    Error from;  // the worst operand
    double inner = 0;
    for (const Instruction* operand : inst.operands) {
      const Error& error = errors_.at(operand);
      from.Join(error);
      inner += error.inner + error.element;
    }
    // Whole numbers that are computed from a Winograd convolution are no more exact than it is.
    if (IsWhole(inst) && !from.any()) return {};
    if (HasOnlyIntegers(inst)) return from;
    const bool exact = IsExact(inst);
    if (exact && (!from.any() || OnlyMoves(inst))) return from;
    Error error = from;
    error.inner = std::max(from.inner, inner);
    error.element = 0;
    if (const double unit = UnitInside(inst); !exact && unit > UnitOf(ElementType::kF32)) {
      error.unit = std::max(error.unit, unit);
      error.inner += kMostUnits * unit;
    }
    if (short_sums_ && MultipliesEightBitFloats(inst))
      error.cut += kShortUnit * std::max(kMostUnits, TermsOf(inst) / kShortStep);
    if (!IsFloating(inst.shape)) {
      if (!exact) error.sums = std::max(error.sums, UnitOf(ElementType::kF32));
      return error;
    }
    const double unit = UnitOf(inst.shape.element_type());
    if (!exact) error.sums = std::max(error.sums, std::min(unit, UnitOf(ElementType::kF32)));
    // Rounding to a type adds to the error only if the type has few bits, or fewer than the sums.
    error.element = unit > UnitOf(ElementType::kF32) || unit > error.sums ? unit : 0;
    error.unit = std::max(error.unit, error.element);
    if (inst.opcode == Opcode::kConvert) {
      error.inner = from.inner;  // a conversion only rounds each element
      error.element += from.element;
    }
    return error;
  }

  const bool short_sums_;
  std::map<const Instruction*, double> whole_;
  std::map<const Instruction*, Error> errors_;
  double terms_ = 1;
};

OutputRule RuleOf(const Shape& shape, const Error& error, double units, const Specials& specials) {
  OutputRule rule;
  if (!shape.IsArray()) return rule;  // a token
  rule.type = hlo::PartType(shape.element_type());
  if (!hlo::IsFloat(rule.type)) {
    rule.may_differ = error.any() ? std::max<int64_t>(1, shape.NumElements() / 100000) : 0;
    return rule;
  }
  const double most = kMostUnits * error.unit;
  rule.of_largest = error.sums * units + std::min(error.inner, most) + error.cut;
  rule.of_element = std::min(error.element, most);
  const hlo::FloatFormat format = hlo::FormatOf(rule.type);
  if (error.any()) rule.absolute = std::ldexp(1.0, 1 - format.bias - format.mantissa_bits);
  if (!specials.denormals && rule.type != ElementType::kF64)
    rule.absolute = std::max(rule.absolute, 0x1p-126);
  return rule;
}

}  // namespace

std::vector<OutputRule> RulesOf(const hlo::Module& module, InputKind kind,
                                const Specials& specials) {
  const Analysis analysis(module, kind, specials);
  const bool attention = lowering::AttentionOfKernel(*module.entry()).has_value();
  const double units = 64 + 8 * std::sqrt(analysis.terms());
  std::vector<OutputRule> rules;
  for (const auto& [shape, error] : analysis.Results(*module.entry()->root())) {
    OutputRule rule = RuleOf(shape, error, units, specials);
    if (kind == InputKind::kSpecial) {
      rule.signed_zeros = specials.signed_zeros && !error.any();
      rule.nan_for_number = specials.nan_for_number;
      rule.nan_for_infinity = attention;
    }
    rules.push_back(rule);
  }
  return rules;
}

std::vector<OutputRule> ProgramRulesOf(const hlo::Module& module, InputKind kind,
                                       const Specials& specials) {
  std::vector<OutputRule> rules = RulesOf(module, kind, specials);
  for (OutputRule& rule : rules) {
    const double most = std::max(1e-2, rule.of_largest);
    rule.of_largest = std::min(16 * rule.of_largest, most);
  }
  return rules;
}

}  // namespace halyard::autotuner
