// CHLO functions that become graphs of other ops, compiled: their errors over whole domains, and
// special values of complex functions, compared with the C library in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/client/clients.h"
#include "tests/lowering/numerics/special_complex.h"
#include "tests/lowering/numerics/ulp.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using lowering::testing::C;
using lowering::testing::Long;
using testing::ClientFor;

// Runs the op on "reference" or a target. Returns nothing if this machine lacks the target.
std::vector<Literal> RunOp(const std::string& target, const std::string& op, const Literal& x) {
  const std::string type =
      absl::StrCat("tensor<", x.shape().dim(0), "x", hlo::MlirName(x.shape().element_type()), ">");
  auto module = stablehlo::ParseStableHlo(
      absl::StrCat("func.func @main(%x: ", type, ") -> ", type, " {\n  %r = chlo.", op,
                   " %x : ", type, " -> ", type, "\n  return %r : ", type, "\n}"),
      "test.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  if (target == "reference") {
    auto result = hlo::Evaluator().Run(**module, {x});
    EXPECT_TRUE(result.ok()) << result.status();
    return {*result};
  }
  Client* client = ClientFor(target);
  if (client == nullptr) return {};
  auto executable = client->Compile(**module);
  EXPECT_TRUE(executable.ok()) << executable.status();
  if (!executable.ok()) return {};
  auto results = (*executable)->RunLiterals({x});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Literal>();
}

const char* const kTargets[] = {"reference", "x86", "vulkan"};

// Returns numbers spread evenly over the domain, and numbers of all magnitudes.
Literal Arguments(bool single) {
  const double end = single ? 89.5 : 710.6;
  constexpr int kCount = 20000;
  std::vector<double> values = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN, end, -end};
  for (int i = 1; i <= kCount; ++i) {
    const double at = (i * 0.6180339887498949) - std::floor(i * 0.6180339887498949);
    values.push_back((2 * at - 1) * end);
    values.push_back(std::exp2(at * 40 - 30));
  }
  return Literal::FromValues<double>(single ? ElementType::kF32 : ElementType::kF64,
                                     {static_cast<int64_t>(values.size())}, values);
}

TEST(ChloNumerics, HyperbolicFunctionsWithin3Ulp) {
  struct Function {
    const char* name;
    long double (*oracle)(long double);
  };
  for (const Function& f : {Function{"sinh", std::sinh}, Function{"cosh", std::cosh}}) {
    for (bool single : {true, false}) {
      const Literal x = Arguments(single);
      for (const char* target : kTargets) {
        const std::vector<Literal> results = RunOp(target, f.name, x);
        if (results.empty()) continue;
        double worst = 0, at = 0;
        for (int64_t i = 0; i < x.shape().NumElements(); ++i) {
          const double argument = x.GetFloat(i), got = results[0].GetFloat(i);
          const long double want = f.oracle(argument);
          const double error = single ? lowering::testing::UlpError32(got, want)
                                      : lowering::testing::UlpError64(got, want);
          if (error > worst) {
            worst = error;
            at = argument;
          }
        }
        std::printf("| %s | %s | %s | %.3f |\n", f.name, single ? "f32" : "f64", target, worst);
        EXPECT_LE(worst, 3) << f.name << " of " << at << " on " << target;
      }
    }
  }
}

// Computes (x - y)(x + y) and 2xy. The real part is exactly 0 if |x| = |y| is finite. For
// infinities, the formula applies as it is.
Long Square(Long z) {
  const long double x = z.real(), y = z.imag();
  const bool equal = std::fabs(x) == std::fabs(y) && std::isfinite(x);
  return {equal ? 0 : (x - y) * (x + y), 2 * x * y};
}

TEST(ChloNumerics, ComplexSpecialParts) {
  struct Function {
    const char* name;
    Long (*oracle)(Long);
  };
  const Function functions[] = {{"sinh", [](Long z) { return std::sinh(z); }},
                                {"cosh", [](Long z) { return std::cosh(z); }},
                                {"square", Square}};
  for (const Function& f : functions) {
    for (bool single : {true, false}) {
      const std::vector<C> values =
          lowering::testing::Pairs(lowering::testing::SpecialParts(single));
      Literal x(hlo::Shape::Array(single ? ElementType::kC64 : ElementType::kC128,
                                  {static_cast<int64_t>(values.size())}));
      for (size_t i = 0; i < values.size(); ++i) x.SetComplex(i, values[i]);
      for (const std::string target : kTargets) {
        const std::vector<Literal> results = RunOp(target, f.name, x);
        if (results.empty()) continue;
        const lowering::testing::Tolerance tolerance{single, target != "vulkan" || !single};
        int wrong = 0;
        for (size_t i = 0; i < values.size() && wrong < 8; ++i) {
          const Long want = f.oracle(Long(values[i]));
          const C got = results[0].GetComplex(i);
          const bool signs = lowering::testing::SignsCount(values[i]);
          if (lowering::testing::Agrees(got, want, signs, tolerance)) continue;
          ++wrong;
          ADD_FAILURE() << f.name << " of " << lowering::testing::Text(values[i]) << " on "
                        << target << (single ? ", c64: " : ", c128: ")
                        << lowering::testing::Text(got) << ", not "
                        << lowering::testing::Text(want);
        }
      }
    }
  }
}

}  // namespace
}  // namespace halyard
