// Complex functions of special values: every pair of special parts, on every device and in the
// evaluator, beside oracles that share nothing with them: MPFR where the operands are finite, where
// they are not the C library (whose special values are those of C's Annex G), or the rule.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/lowering/numerics/harness.h"
#include "tests/lowering/numerics/mpfr_complex.h"
#include "tests/lowering/numerics/special_complex.h"

namespace halyard::lowering::testing {
namespace {

using hlo::ElementType;
using hlo::Opcode;

bool IsSingle(ElementType type) { return type == ElementType::kC64; }

// Returns the result for an operand with a NaN or an infinity, or for a zero that MPFR is not asked
// for.
Long SpecialValue(Opcode opcode, C operand) {
  const Long x(operand.real(), operand.imag());
  const long double inf = kInf, nan = kNan;
  switch (opcode) {
    case Opcode::kExp:
      return std::exp(x);
    case Opcode::kExpm1:
      return std::exp(x) - 1.0L;
    case Opcode::kLog:
      return std::log(x);
    case Opcode::kLog1p:
      return std::log(Long(x.real() + 1, x.imag()));
    case Opcode::kLogistic:
      if (std::isinf(x.real())) return x.real() > 0 ? 1 : 0;
      return {nan, nan};
    case Opcode::kTanh:
      return std::tanh(x);
    case Opcode::kSqrt:
      return std::sqrt(x);
    case Opcode::kRsqrt:
      if (x == Long(0)) return {inf, nan};
      return HasInfinity(operand) ? Long(0) : Long(nan, nan);
    case Opcode::kCbrt: {
      if (x == Long(0)) return 0;
      if (HasNan(operand)) return {nan, nan};
      const long double angle = std::arg(x) / 3;
      return {inf, angle == 0 ? angle : std::copysign(inf, angle)};
    }
    case Opcode::kSin:
      return std::sin(x);
    case Opcode::kCos:
      return std::cos(x);
    case Opcode::kTan:
      return std::tan(x);
    case Opcode::kSign:
      if (x == Long(0)) return 0;
      if (HasNan(operand)) return {nan, nan};
      return {std::isinf(x.real()) ? nan : 0, std::isinf(x.imag()) ? nan : 0};
    case Opcode::kAbs:
      return HasInfinity(operand) ? inf : std::fabs(x.real() + x.imag());  // NaN or 0
    default:
      ADD_FAILURE() << "no rule";
      return {};
  }
}

// A stored part as a number, and back.
uint64_t Stored(double x, bool single) {
  return single ? Bits32(static_cast<float>(x)) : Bits64(x);
}
double Loaded(uint64_t bits, bool single) {
  return single ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
}

ElementType ResultType(Opcode opcode, ElementType type) {
  return opcode == Opcode::kAbs ? hlo::PartType(type) : type;
}

std::vector<C> OnDevice(Opcode opcode, ElementType type, const Device& device,
                        const std::vector<std::vector<C>>& operands) {
  const bool single = IsSingle(type);
  Planes in;
  for (const std::vector<C>& operand : operands) {
    in.resize(in.size() + 2);
    for (C x : operand) {
      in[in.size() - 2].push_back(Stored(x.real(), single));
      in[in.size() - 1].push_back(Stored(x.imag(), single));
    }
  }
  const std::vector<ElementType> types(operands.size(), type);
  const Op op{opcode, types, ResultType(opcode, type), {}};
  const Planes out = RunOp(op, device, in);
  std::vector<C> results;
  for (size_t i = 0; i < operands[0].size(); ++i) {
    results.emplace_back(Loaded(out[0][i], single), out.size() > 1 ? Loaded(out[1][i], single) : 0);
  }
  return results;
}

std::vector<C> ByEvaluator(Opcode opcode, ElementType type,
                           const std::vector<std::vector<C>>& operands) {
  const int64_t count = static_cast<int64_t>(operands[0].size());
  hlo::Module module("m");
  hlo::Computation* main = module.AddComputation("main");
  module.set_entry(main);
  std::vector<hlo::Instruction*> parameters;
  std::vector<hlo::Literal> literals;
  for (const std::vector<C>& operand : operands) {
    hlo::Literal literal(hlo::Shape::Array(type, {count}));
    for (int64_t i = 0; i < count; ++i) literal.SetComplex(i, operand[i]);
    parameters.push_back(main->AddParameter(main->num_parameters(), literal.shape()));
    literals.push_back(std::move(literal));
  }
  main->set_root(
      main->Add(opcode, hlo::Shape::Array(ResultType(opcode, type), {count}), parameters));
  hlo::Evaluator evaluator;
  absl::StatusOr<hlo::Literal> result = evaluator.Run(module, literals);
  EXPECT_TRUE(result.ok()) << result.status();
  std::vector<C> results;
  for (int64_t i = 0; result.ok() && i < count; ++i) {
    results.push_back(hlo::IsComplex(ResultType(opcode, type)) ? result->GetComplex(i)
                                                               : C(result->GetFloat(i)));
  }
  return results;
}

// Calls `check(results, where, tolerance)` for each device and the evaluator.
template <typename Check>
void Everywhere(Opcode opcode, ElementType type, const std::vector<std::vector<C>>& operands,
                Check check) {
  const bool single = IsSingle(type);
  check(ByEvaluator(opcode, type, operands), "evaluator", Tolerance{single, true});
  for (const Device& device : Devices()) {
    if (!device.gpu && &device != &BestX86()) continue;
    // Vulkan flushes f32's denormals.
    check(OnDevice(opcode, type, device, operands), device.name,
          Tolerance{single, device.keeps_denormals || !single});
  }
}

class ComplexUnary : public ::testing::TestWithParam<Opcode> {};

TEST_P(ComplexUnary, SpecialParts) {
  const Opcode opcode = GetParam();
  for (ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const std::vector<C> values = Pairs(SpecialParts(IsSingle(type)));
    std::vector<Long> want;
    for (C x : values) {
      const bool zero = opcode == Opcode::kLog || opcode == Opcode::kSign ||
                        opcode == Opcode::kRsqrt || opcode == Opcode::kCbrt;
      const C singular = opcode == Opcode::kLog1p ? -1 : zero ? 0 : kNan;
      const bool exact = IsFinite(x) && x != singular;
      want.push_back(exact ? ExactlyComplex(opcode, x) : SpecialValue(opcode, x));
    }
    Everywhere(opcode, type, {values},
               [&](const std::vector<C>& got, const std::string& where, Tolerance tolerance) {
                 int wrong = 0;
                 for (size_t i = 0; i < values.size() && wrong < 8; ++i) {
                   if (Agrees(got[i], want[i], SignsCount(values[i]), tolerance)) continue;
                   ++wrong;
                   ADD_FAILURE() << where << " " << hlo::HloName(type) << " " << Text(values[i])
                                 << ": " << Text(got[i]) << ", not " << Text(want[i]);
                 }
               });
  }
}

INSTANTIATE_TEST_SUITE_P(Numerics, ComplexUnary,
                         ::testing::Values(Opcode::kAbs, Opcode::kSign, Opcode::kExp,
                                           Opcode::kExpm1, Opcode::kLog, Opcode::kLog1p,
                                           Opcode::kLogistic, Opcode::kTanh, Opcode::kSqrt,
                                           Opcode::kRsqrt, Opcode::kCbrt, Opcode::kSin,
                                           Opcode::kCos, Opcode::kTan),
                         [](const auto& info) {
                           std::string name(hlo::RowOf(info.param).hlo_name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// There are four parts, so there are fewer values of each.
std::vector<C> FewPairs(bool single) {
  const double largest = Largest(single);
  return Pairs(
      {kNan, kInf, -kInf, 0.0, -0.0, 1.0, -0.75, largest, -largest / 3, Smallest(single) * 4});
}

struct Operands {
  std::vector<C> a, b;
};
Operands AllOf(const std::vector<C>& values) {
  Operands all;
  for (C a : values) {
    for (C b : values) {
      all.a.push_back(a);
      all.b.push_back(b);
    }
  }
  return all;
}

// Returns what is wrong with the quotient, or "".
std::string QuotientFault(C a, C b, C got, const Tolerance& tolerance) {
  auto is = [&](Long want) {
    return Agrees(got, want, !HasNan(a), tolerance) ? "" : absl::StrCat("not ", Text(want));
  };
  const long double zero = b.real();
  if (b == C(0)) return is({a.real() / zero, a.imag() / zero});
  if (HasInfinity(b) && IsFinite(a)) return is(0);
  if (IsFinite(a) && IsFinite(b)) {
    return is(a == C(0) ? Long(0) : ExactlyComplex(Opcode::kDivide, a, b));
  }
  if (HasInfinity(a) && IsFinite(b)) return HasInfinity(got) ? "" : "must be infinite";
  return HasNan(got) ? "" : "must be NaN";
}

TEST(ComplexBinary, QuotientsOfSpecialParts) {
  for (ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const Operands operands = AllOf(FewPairs(IsSingle(type)));
    Everywhere(Opcode::kDivide, type, {operands.a, operands.b},
               [&](const std::vector<C>& got, const std::string& where, Tolerance tolerance) {
                 int wrong = 0;
                 for (size_t i = 0; i < got.size() && wrong < 8; ++i) {
                   const C a = operands.a[i], b = operands.b[i];
                   const std::string fault = QuotientFault(a, b, got[i], tolerance);
                   if (fault.empty()) continue;
                   ++wrong;
                   ADD_FAILURE() << where << " " << hlo::HloName(type) << " " << Text(a) << " / "
                                 << Text(b) << ": " << Text(got[i]) << " " << fault;
                 }
               });
  }
}

TEST(ComplexBinary, ProductsAreAsTheyStand) {
  for (ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const bool single = IsSingle(type);
    const Operands operands = AllOf(FewPairs(single));
    auto rounded = [&](double x) { return single ? static_cast<float>(x) : x; };
    Everywhere(Opcode::kMultiply, type, {operands.a, operands.b},
               [&](const std::vector<C>& got, const std::string& where, Tolerance tolerance) {
                 int wrong = 0;
                 for (size_t i = 0; i < got.size() && wrong < 8; ++i) {
                   const C a = operands.a[i], b = operands.b[i];
                   // The evaluator rounds once.
                   auto sum = [&](double x, double y, double u, double v) {
                     return where == "evaluator" ? x * y + u * v
                                                 : double{rounded(rounded(x * y) + rounded(u * v))};
                   };
                   const Long want(sum(a.real(), b.real(), -a.imag(), b.imag()),
                                   sum(a.real(), b.imag(), a.imag(), b.real()));
                   if (Agrees(got[i], want, true, tolerance)) continue;
                   ++wrong;
                   ADD_FAILURE() << where << " " << hlo::HloName(type) << " " << Text(a) << " * "
                                 << Text(b) << ": " << Text(got[i]) << ", not " << Text(want);
                 }
               });
  }
}

// Powers of finite operands; a^0 = 1 and 0^b = 0 for any other operand; infinities to real powers.
TEST(ComplexBinary, PowersOfSpecialParts) {
  for (ElementType type : {ElementType::kC64, ElementType::kC128}) {
    const Operands operands = AllOf(FewPairs(IsSingle(type)));
    Everywhere(Opcode::kPower, type, {operands.a, operands.b},
               [&](const std::vector<C>& got, const std::string& where, Tolerance tolerance) {
                 int wrong = 0;
                 for (size_t i = 0; i < got.size() && wrong < 8; ++i) {
                   const C a = operands.a[i], b = operands.b[i];
                   Long want;
                   Tolerance of = tolerance;
                   if (b == C(0)) {
                     want = 1;
                   } else if (a == C(0)) {
                     want = 0;
                   } else if (IsFinite(a) && IsFinite(b)) {
                     // The error of the exponent counts as often as the exponent is large. Beyond
                     // that, nothing is known.
                     const long double exponent = std::abs(Long(b)) * std::abs(std::log(Long(a)));
                     if (exponent > 1000) continue;
                     of.units += 4 * exponent;
                     want = ExactlyComplex(Opcode::kPower, a, b);
                   } else if (!HasNan(a) && a.imag() == 0 && a.real() > 0 && b == C(1)) {
                     want = {a.real(), 0};
                   } else {
                     continue;
                   }
                   if (Agrees(got[i], want, true, of)) continue;
                   ++wrong;
                   ADD_FAILURE() << where << " " << hlo::HloName(type) << " " << Text(a) << " ^ "
                                 << Text(b) << ": " << Text(got[i]) << ", not " << Text(want);
                 }
               });
  }
}

}  // namespace
}  // namespace halyard::lowering::testing
