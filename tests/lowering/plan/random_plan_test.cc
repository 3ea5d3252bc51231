// Tests that plans of random graphs compute what the graphs do, bit by bit, fused and unfused, for
// x86 and for a GPU's memory.
#include <gtest/gtest.h>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/printer.h"
#include "tests/asked_count.h"
#include "tests/lowering/plan/plan_checks.h"
#include "tests/lowering/plan/random_graph.h"

namespace halyard::lowering {
namespace {

TEST(RandomPlan, ComputesTheSame) {
  const int count = halyard::testing::AskedCount("HALYARD_RANDOM_PLANS", 300);
  for (int seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    std::unique_ptr<hlo::Module> module = RandomGraph(seed);
    ASSERT_TRUE(hlo::VerifyModule(*module).ok()) << hlo::VerifyModule(*module) << "\n"
                                                 << hlo_text::Print(*module);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    ExpectPlanComputesTheSame(*module, seed);
    if (::testing::Test::HasFailure()) std::cout << hlo_text::Print(*module);
  }
}

}  // namespace
}  // namespace halyard::lowering
