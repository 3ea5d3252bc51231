#include "tests/programs/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/element_type.h"

namespace halyard::testing {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;

namespace {

std::vector<const Instruction*> Results(const hlo::Module& module) {
  const Instruction* root = module.entry()->root();
  if (!root->shape.IsTuple()) return {root};
  return {root->operands.begin(), root->operands.end()};
}

bool IsOfFloats(ElementType type) { return hlo::IsFloat(type) || hlo::IsComplex(type); }

// Returns the parts of an element as doubles.
std::vector<double> PartsOf(const Literal& value, int64_t i) {
  const ElementType type = value.shape().element_type();
  if (hlo::IsComplex(type)) return {value.GetComplex(i).real(), value.GetComplex(i).imag()};
  return {value.GetAsDouble(i)};
}

// Returns the spacing of the type's numbers just above 1.
double UnitOf(ElementType type) {
  if (!IsOfFloats(type)) return 0;
  return std::ldexp(1.0, -hlo::FormatOf(hlo::PartType(type)).mantissa_bits);
}

// Returns the largest power of two of the type.
double LargestPowerOf(ElementType type) {
  const hlo::FloatFormat format = hlo::FormatOf(hlo::PartType(type));
  return std::ldexp(1.0, (1 << format.exponent_bits) - 1 - format.bias - format.has_infinity);
}

// Returns what both sides may have lost of a denormal.
double LeastOf(ElementType type) {
  if (!IsOfFloats(type)) return 0;
  if (hlo::PartType(type) == ElementType::kF64) return 1e-300;
  const hlo::FloatFormat format = hlo::FormatOf(hlo::PartType(type));
  return std::max(1e-37, std::ldexp(2.0, 1 - format.bias - format.mantissa_bits));
}

std::string Differs(const Literal& got, const Literal& want, int64_t i, double g, double w) {
  // Doubles cannot hold all integers of 64 bits.
  if (IsOfFloats(want.shape().element_type())) return absl::StrCat("at ", i, ": ", g, ", not ", w);
  return absl::StrCat("at ", i, ": ", got.GetInt(i), ", not ", want.GetInt(i));
}

}  // namespace

struct Agreement::Result {
  int64_t number;
  const Instruction* instruction;
  const Literal* exact;  // those of the evaluator
  const Literal* wanted;
};

Agreement::Agreement(const Program& program, Values exact)
    : program_{program.module->Clone(), program.arguments}, exact_(std::move(exact)) {}

absl::StatusOr<Agreement> Agreement::WithEvaluator(const Program& program) {
  absl::StatusOr<Values> exact = Evaluate(*program.module, program.arguments);
  if (!exact.ok()) return exact.status();
  Agreement agreement(program, *std::move(exact));
  for (const Instruction* result : Results(*agreement.program_.module))
    agreement.wanted_.push_back(agreement.exact_.at(result->name));
  return agreement;
}

absl::StatusOr<Agreement> Agreement::WithResults(const Program& program,
                                                 std::vector<Literal> wanted) {
  absl::StatusOr<Agreement> agreement = WithEvaluator(program);
  if (!agreement.ok()) return agreement;
  if (wanted.size() != agreement->wanted_.size())
    return absl::InvalidArgumentError("the wanted results are not as many as the program's");
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].shape().element_type() != agreement->wanted_[i].shape().element_type() ||
        wanted[i].shape().dims() != agreement->wanted_[i].shape().dims()) {
      return absl::InvalidArgumentError(absl::StrCat("result ", i, " has another type"));
    }
  }
  agreement->wanted_ = std::move(wanted);
  agreement->other_flushes_ = true;
  return agreement;
}

std::string Agreement::Check(const std::vector<Literal>& got, bool flushes) {
  flushes_ = flushes;
  const std::vector<const Instruction*> results = Results(*program_.module);
  if (got.size() != results.size()) return absl::StrCat(got.size(), " results");
  for (size_t i = 0; i < results.size(); ++i) {
    const Result result{static_cast<int64_t>(i), results[i], &exact_.at(results[i]->name),
                        &wanted_[i]};
    const std::string wrong = CheckResult(result, got[i]);
    if (!wrong.empty()) return absl::StrCat("result ", i, " ", wrong);
  }
  return "";
}

const Values* Agreement::Noisy(const Noise& noise) {
  const auto [place, added] = noisy_.try_emplace(noise);
  if (added) {
    absl::StatusOr<Values> values = Evaluate(*program_.module, program_.arguments, noise);
    if (values.ok()) place->second = *std::move(values);
  }
  return place->second.empty() ? nullptr : &place->second;
}

bool Agreement::Same(ElementType type, double a, double b) const {
  if (std::isnan(b)) return std::isnan(a);
  if (flushes_ && IsOfFloats(type) && std::abs(a) < 1.2e-38 && std::abs(b) < 1.2e-38) return true;
  return a == b && std::signbit(a) == std::signbit(b);
}

std::string Agreement::FirstDifference(const Literal& got, const Literal& want) const {
  const ElementType type = want.shape().element_type();
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    if (!IsOfFloats(type)) {
      if (got.GetBits(i) != want.GetBits(i)) return Differs(got, want, i, 0, 0);
      continue;
    }
    const std::vector<double> g = PartsOf(got, i), w = PartsOf(want, i);
    for (size_t part = 0; part < g.size(); ++part) {
      if (!Same(type, g[part], w[part])) return Differs(got, want, i, g[part], w[part]);
    }
  }
  return "";
}

std::string Agreement::CheckResult(const Result& result, const Literal& got) {
  std::string wrong = FirstDifference(got, *result.wanted);
  if (wrong.empty()) return "";
  if (IsInexact(*result.instruction)) return CheckNear(result, got);
  // The sign of a NaN only shows where its bits or the total order are used. A flushed denormal
  // shows anywhere.
  constexpr int kRuns = 24;
  std::vector<const Literal*> runs;
  for (int run = 1; run <= kRuns; ++run) {
    const Values* values = Noisy({.units = 1e-30,
                                  .seed = static_cast<uint32_t>(run),
                                  .flush = (flushes_ || other_flushes_) && run % 2 == 0});
    if (values != nullptr) runs.push_back(&values->at(result.instruction->name));
  }
  return Unexplained(result, got, runs, /*near=*/false);
}

// If noise does not explain the difference, more and louder noise is tried before the result counts
// as wrong, because a comparison may change at rare places only.
std::string Agreement::CheckNear(const Result& result, const Literal& got) {
  std::string wrong;
  for (const auto& [count, units] : {std::pair{4, 3.0}, {24, 12.0}, {60, 40.0}}) {
    std::vector<const Literal*> runs;
    for (int run = 1; run <= count; ++run) {
      const Values* values = Noisy({.units = units,
                                    .seed = static_cast<uint32_t>(run),
                                    .flush = (flushes_ || other_flushes_) && run % 4 >= 2});
      if (values != nullptr) runs.push_back(&values->at(result.instruction->name));
    }
    wrong = Unexplained(result, got, runs, /*near=*/true);
    if (wrong.empty()) return "";
  }
  return wrong;
}

std::string Agreement::Unexplained(const Result& result, const Literal& got,
                                   const std::vector<const Literal*>& runs, bool near) const {
  const Literal& want = *result.wanted;
  const ElementType type = want.shape().element_type();
  const double unit = near ? UnitOf(type) : 0;
  const double least = near ? LeastOf(type) : 0;
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    const std::vector<double> g = PartsOf(got, i), w = PartsOf(want, i),
                              exact = PartsOf(*result.exact, i);
    double size = 0;
    for (double part : w) size = std::max(size, std::abs(part));
    for (size_t part = 0; part < g.size(); ++part) {
      if (Same(type, g[part], w[part]) && (IsOfFloats(type) || got.GetBits(i) == want.GetBits(i)))
        continue;
      double spread = 0;
      bool got_met = Same(type, g[part], exact[part]), want_met = Same(type, w[part], exact[part]);
      bool unstable = false;
      auto close = [&](double a, double b) {
        return Same(type, a, b) || std::abs(a - b) <= 4 * std::abs(b) * unit;
      };
      for (const Literal* other : runs) {
        const double n = PartsOf(*other, i)[part];
        got_met |= close(g[part], n);
        want_met |= close(w[part], n);
        unstable |= near && std::isfinite(n) != std::isfinite(exact[part]);
        if (near && std::isfinite(n)) spread = std::max(spread, std::abs(n - exact[part]));
      }
      // The bits of an inexact number, read as another type, may be anything.
      if (near && IsOfFloats(type) && spread >= LargestPowerOf(type)) continue;
      const double error = std::abs(g[part] - w[part]);
      if (unstable || (got_met && want_met)) continue;
      if (error <= 4 * spread + 4 * size * unit + least) continue;
      std::string wrong = Differs(got, want, i, g[part], w[part]);
      if (!near) return absl::StrCat("(exact) ", wrong);
      return absl::StrCat(wrong, " (noise moves ", exact[part], " by ", spread, ")");
    }
  }
  return "";
}

}  // namespace halyard::testing
