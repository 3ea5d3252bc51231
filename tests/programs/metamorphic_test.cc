// Compares random programs with themselves, without an oracle: as they are compiled by default, and
// in variants (variants.h) that must not change a result. $HALYARD_RANDOM_PROGRAMS says how many
// programs (nightly: thousands), $HALYARD_RANDOM_SEED the first, $HALYARD_RANDOM_VARIANT which
// variant.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/asked_count.h"
#include "tests/programs/agreement.h"
#include "tests/programs/makers/random_program.h"
#include "tests/programs/variants.h"

namespace halyard::testing {
namespace {

using hlo::Literal;
using Results = absl::StatusOr<std::vector<Literal>>;

// Returns how the results of two ways to compute the program differ, or "". Only if their bits
// differ is the evaluator asked what rounding may do to either.
std::string Differences(const Program& program, const std::vector<Literal>& one,
                        const std::vector<Literal>& other, bool flushes) {
  const bool equal =
      std::equal(one.begin(), one.end(), other.begin(), other.end(),
                 [](const Literal& a, const Literal& b) { return a.BitwiseEqual(b); });
  if (equal) return "";
  absl::StatusOr<Agreement> agreement = Agreement::WithEvaluator(program);
  if (!agreement.ok()) return absl::StrCat("evaluator: ", agreement.status().ToString());
  const std::string wrong = agreement->Check(other, flushes);
  if (!wrong.empty()) return absl::StrCat("the variant's ", wrong);
  const std::string plain = agreement->Check(one, flushes);
  return plain.empty() ? "" : absl::StrCat("the program's own ", plain);
}

class Runner {
 public:
  explicit Runner(const std::string& target) {
    options_.target = target;
    options_.use_tuning = false;
    client_ = Client::Create(options_);
  }
  const absl::Status& status() const { return client_.status(); }

  Results Run(const Program& program, const PlanSettings& settings) {
    if (!client_.ok()) return client_.status();
    CompileOptions compile;
    compile.fuse = settings.fuse;
    compile.attention = settings.attention;
    compile.quick = settings.quick;
    compile.without = settings.without;
    compile.choices = settings.choices;
    auto executable = (*client_)->Compile(*program.module, compile);
    if (!executable.ok()) return executable.status();
    Results results = (*executable)->RunLiterals(program.arguments);
    // A kernel that failed on the device has broken it for this client.
    if (absl::IsAborted(results.status())) {
      executable->reset();
      client_ = absl::AbortedError("");
      client_ = Client::Create(options_);
    }
    return results;
  }

  // Returns what is wrong with the variant compared with the program, or "".
  std::string Check(const Program& program, const std::string& name, uint32_t seed) {
    if (!client_.ok()) return client_.status().ToString();
    absl::StatusOr<lowering::PlanOptions> device = PlanOptionsFor((*client_)->target(), {});
    if (!device.ok()) return device.status().ToString();
    absl::StatusOr<Variant> variant = MakeVariant(name, program, *device, seed);
    if (!variant.ok()) return variant.status().ToString();
    const Results plain = Run(program, {});
    if (!plain.ok()) return plain.status().ToString();
    const Results other = Run(variant->program, variant->settings);
    if (!other.ok()) return other.status().ToString();
    return Differences(program, *plain, *other, options_.target == "vulkan");
  }

 private:
  ClientOptions options_;
  absl::StatusOr<std::unique_ptr<Client>> client_ = absl::UnknownError("");
};

class Metamorphic : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(Metamorphic, VariantsAgree) {
  const auto& [target, fixed_count] = GetParam();
  Runner runner(target);
  if (!runner.status().ok()) GTEST_SKIP() << runner.status();
  const int count = AskedPrograms(target, fixed_count);
  int first = 1;
  if (const char* asked = getenv("HALYARD_RANDOM_SEED")) first = atoi(asked);
  const size_t variants = AskedCount("HALYARD_VARIANTS", 3);
  int failures = 0, checks = 0;
  for (int seed = first; seed < first + count && failures < 3; ++seed) {
    Program program{RandomProgram(seed), {}};
    const absl::Status valid = hlo::VerifyModule(*program.module);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid << "\n" << ToText(program);
    program.arguments = RandomArguments(*program.module, seed);
    std::vector<std::string> names = VariantNames();
    std::shuffle(names.begin(), names.end(), std::mt19937(seed));
    names.resize(std::min(names.size(), variants));
    for (const std::string& name : names) {
      ++checks;
      const std::string wrong = runner.Check(program, name, seed);
      if (wrong.empty()) continue;
      ++failures;
      const Program small =
          Minimize(program, [&](const Program& p) { return !runner.Check(p, name, seed).empty(); });
      ADD_FAILURE() << target << ", " << name << ", seed " << seed << ": " << wrong
                    << "\nSmallest: " << runner.Check(small, name, seed) << "\n"
                    << ToText(small);
      break;
    }
  }
  std::cout << target << ": " << count << " programs, " << checks << " variants, " << failures
            << " differ\n";
}

INSTANTIATE_TEST_SUITE_P(All, Metamorphic,
                         ::testing::Values(std::pair{"x86", 30}, std::pair{"vulkan", 30},
                                           std::pair{"cuda", 20}),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace halyard::testing
