// Tests plans of random programs over every op and type, in every variant (variants.h), for x86 and
// for a GPU's memory. The interpreter of plans runs them, and results are compared with the
// evaluator's on the original programs. This finds errors of passes without compiling anything.
// $HALYARD_RANDOM_PROGRAMS says how many programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "tests/asked_count.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/plan_interpreter.h"
#include "tests/programs/agreement.h"
#include "tests/programs/makers/random_program.h"
#include "tests/programs/variants.h"

namespace halyard::testing {
namespace {

// Returns what is wrong with the program ("") or with the variant of a name, or "".
std::string CheckPlan(const Program& program, Agreement& agreement, const std::string& name,
                      lowering::PlanOptions options, uint32_t seed) {
  Variant variant{{program.module->Clone(), program.arguments}, {}};
  if (!name.empty()) {
    absl::StatusOr<Variant> made = MakeVariant(name, program, options, seed);
    if (!made.ok()) return made.status().ToString();
    variant = *std::move(made);
  }
  absl::StatusOr<lowering::RewriteSet> without = lowering::ParseRewrites(variant.settings.without);
  if (!without.ok()) return without.status().ToString();
  options.without = *without;
  options.fuse = variant.settings.fuse;
  options.attention = variant.settings.attention;
  options.choices = variant.settings.choices;
  absl::StatusOr<ProgramSpec> plan = lowering::PlanProgram(*variant.program.module, options);
  if (!plan.ok()) return plan.status().ToString();
  absl::StatusOr<std::vector<hlo::Literal>> got =
      lowering::InterpretPlan(*plan, variant.program.arguments, {});
  if (!got.ok()) return got.status().ToString();
  return agreement.Check(*got, /*flushes=*/false);
}

std::string CheckPlan(const Program& program, const std::string& name,
                      const lowering::PlanOptions& options, uint32_t seed) {
  absl::StatusOr<Agreement> agreement = Agreement::WithEvaluator(program);
  if (!agreement.ok()) return absl::StrCat("evaluator: ", agreement.status().ToString());
  return CheckPlan(program, *agreement, name, options, seed);
}

TEST(Plans, OfRandomProgramsComputeTheSame) {
  const int count = AskedCount("HALYARD_RANDOM_PROGRAMS", 150);
  int first = 1, failures = 0;
  if (const char* asked = getenv("HALYARD_RANDOM_SEED")) first = atoi(asked);
  std::vector<std::string> names = VariantNames();
  names.emplace_back("");
  for (int seed = first; seed < first + count && failures < 3; ++seed) {
    Program program{RandomProgram(seed), {}};
    const absl::Status valid = hlo::VerifyModule(*program.module);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid << "\n" << ToText(program);
    program.arguments = RandomArguments(*program.module, seed);
    absl::StatusOr<Agreement> agreement = Agreement::WithEvaluator(program);
    ASSERT_TRUE(agreement.ok()) << "seed " << seed << ": " << agreement.status();
    for (const lowering::PlanOptions& options :
         {lowering::X86Options(), lowering::VulkanOptions()}) {
      for (const std::string& name : names) {
        const std::string wrong = CheckPlan(program, *agreement, name, options, seed);
        if (wrong.empty()) continue;
        ++failures;
        const Program small = Minimize(
            program, [&](const Program& p) { return !CheckPlan(p, name, options, seed).empty(); });
        ADD_FAILURE() << options.target << ", " << name << ", seed " << seed << ": " << wrong
                      << "\nSmallest: " << CheckPlan(small, name, options, seed) << "\n"
                      << ToText(small);
        break;
      }
    }
  }
  std::cout << count << " programs, " << failures << " differ\n";
}

}  // namespace
}  // namespace halyard::testing
