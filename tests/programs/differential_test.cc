// Random programs over every op and type, compiled and run, against the evaluator. Results that no
// inexact op takes part in must have the evaluator's bits; others may be off by some times what
// rounding noise in the evaluator does to them. $HALYARD_RANDOM_PROGRAMS says how many programs
// (nightly: thousands), $HALYARD_RANDOM_SEED the first; with $HALYARD_RANDOM_PRINT each is printed
// before it is tried. A mismatch prints the smallest program that
// still shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "client/client.h"
#include "frontend/hlo/op_table.h"
#include "tests/programs/minimize.h"
#include "tests/programs/noisy_evaluator.h"
#include "tests/programs/random_program.h"

namespace halyard::testing {
namespace {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;

std::vector<const Instruction*> Results(const hlo::Module& module) {
  const Instruction* root = module.entry()->root();
  if (!root->shape.IsTuple()) return {root};
  return {root->operands.begin(), root->operands.end()};
}

class Checker {
 public:
  explicit Checker(Client* client)
      : client_(client), flushes_(client->options().target == "vulkan") {}

  // What is wrong, or "".
  std::string Check(const Program& program) {
    auto want = Evaluate(*program.module, program.arguments);
    if (!want.ok()) return absl::StrCat("evaluator: ", want.status().ToString());
    auto executable = client_->Compile(*program.module);
    if (!executable.ok()) return executable.status().ToString();
    auto got = (*executable)->RunLiterals(program.arguments);
    if (!got.ok()) return got.status().ToString();
    const std::vector<const Instruction*> results = Results(*program.module);
    for (size_t i = 0; i < results.size(); ++i) {
      const Literal& wanted = want->at(results[i]->name);
      std::string wrong = IsInexact(*results[i])
                              ? CheckNear(program, *results[i], (*got)[i], wanted)
                              : CheckBits((*got)[i], wanted);
      if (!wrong.empty()) return absl::StrCat("result ", i, " ", wrong);
    }
    return "";
  }

 private:
  // Parts of an element, as doubles.
  static std::vector<double> PartsOf(const Literal& value, int64_t i) {
    const ElementType type = value.shape().element_type();
    if (hlo::IsComplex(type)) return {value.GetComplex(i).real(), value.GetComplex(i).imag()};
    return {value.GetAsDouble(i)};
  }

  // A device that flushes f32 denormals may make either zero of them.
  bool Same(ElementType type, double got, double want) const {
    if (std::isnan(want)) return std::isnan(got);
    if (flushes_ && std::abs(want) < 1.2e-38 && std::abs(got) < 1.2e-38 &&
        (hlo::IsFloat(type) || hlo::IsComplex(type)))
      return true;
    return got == want && std::signbit(got) == std::signbit(want);
  }

  std::string CheckBits(const Literal& got, const Literal& want) const {
    const ElementType type = want.shape().element_type();
    if (hlo::IsInteger(type) || type == ElementType::kPred) {
      for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
        if (got.GetBits(i) != want.GetBits(i))
          return absl::StrCat("at ", i, ": ", got.GetInt(i), ", not ", want.GetInt(i));
      }
      return "";
    }
    for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
      const std::vector<double> g = PartsOf(got, i), w = PartsOf(want, i);
      for (size_t part = 0; part < g.size(); ++part) {
        if (!Same(type, g[part], w[part]))
          return absl::StrCat("(exact) at ", i, ": ", g[part], ", not ", w[part]);
      }
    }
    return "";
  }

  // Within some times of what noise does; where it is not, more and louder noise is tried before
  // the result is called wrong (a comparison may tip over at rare places only).
  std::string CheckNear(const Program& program, const Instruction& result, const Literal& got,
                        const Literal& want) const {
    std::string wrong;
    for (const auto& [runs, units] : {std::pair{3, 3.0}, {24, 12.0}, {60, 40.0}}) {
      std::vector<Literal> noisy;
      for (int run = 0; run < runs; ++run) {
        auto values = Evaluate(*program.module, program.arguments, units, run + 1);
        if (values.ok()) noisy.push_back(values->at(result.name));
      }
      wrong = Compare(got, want, noisy);
      if (wrong.empty()) return "";
    }
    return wrong;
  }

  std::string Compare(const Literal& got, const Literal& want,
                      const std::vector<Literal>& noisy) const {
    const ElementType type = want.shape().element_type();
    const bool floats = hlo::IsFloat(type) || hlo::IsComplex(type);
    const double unit =
        floats
            ? std::ldexp(
                  1.0,
                  -hlo::FormatOf(hlo::IsComplex(type) ? hlo::PartType(type) : type).mantissa_bits)
            : 0;
    for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
      const std::vector<double> g = PartsOf(got, i), w = PartsOf(want, i);
      double size = 0;
      for (double part : w) size = std::max(size, std::abs(part));
      for (size_t part = 0; part < g.size(); ++part) {
        if (Same(type, g[part], w[part])) continue;
        double spread = 0;
        bool met = false;
        for (const Literal& other : noisy) {
          const double n = PartsOf(other, i)[part];
          met |= Same(type, g[part], n) || !std::isfinite(n) != !std::isfinite(w[part]);
          if (std::isfinite(n)) spread = std::max(spread, std::abs(n - w[part]));
        }
        const double error = std::abs(g[part] - w[part]);
        if (met || error <= 4 * spread + (4 * size * unit) + (floats ? 1e-37 : 0)) continue;
        return absl::StrCat("at ", i, ": ", g[part], ", not ", w[part], " (noise moves it by ",
                            spread, ")");
      }
    }
    return "";
  }

  Client* client_;
  bool flushes_;
};

class Differential : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(Differential, AgreesWithTheEvaluator) {
  const auto& [target, fixed_count] = GetParam();
  ClientOptions options;
  options.target = target;
  options.use_cache = false;
  auto client = Client::Create(options);
  if (!client.ok()) GTEST_SKIP() << client.status();
  int count = fixed_count, first = 1, failures = 0;
  if (const char* asked = getenv("HALYARD_RANDOM_PROGRAMS")) count = atoi(asked);
  if (const char* asked = getenv("HALYARD_RANDOM_SEED")) first = atoi(asked);
  Checker checker(client->get());
  for (int seed = first; seed < first + count && failures < 3; ++seed) {
    Program program{RandomProgram(seed), {}};
    const absl::Status valid = hlo::VerifyModule(*program.module);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid << "\n" << ToText(program);
    program.arguments = RandomArguments(*program.module, seed);
    if (getenv("HALYARD_RANDOM_PRINT") != nullptr) std::cout << ToText(program) << std::endl;
    const std::string wrong = checker.Check(program);
    if (wrong.empty()) continue;
    ++failures;
    const Program small =
        Minimize(program, [&](const Program& p) { return !checker.Check(p).empty(); });
    ADD_FAILURE() << target << ", seed " << seed << ": " << wrong
                  << "\nSmallest: " << checker.Check(small) << "\n"
                  << ToText(small);
  }
  std::cout << target << ": " << count << " programs, " << failures << " differ\n";
}

INSTANTIATE_TEST_SUITE_P(All, Differential,
                         ::testing::Values(std::pair{"x86", 150}, std::pair{"vulkan", 150}),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace halyard::testing
