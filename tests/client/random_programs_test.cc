// Compares random programs, compiled and run, with the evaluator. $HALYARD_RANDOM_PROGRAMS sets
// their number (thousands in nightly runs).

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/printer.h"
#include "tests/asked_count.h"
#include "tests/lowering/plan/random_choices.h"
#include "tests/lowering/plan/random_graph.h"

namespace halyard {
namespace {

using hlo::Literal;

// Sums are ordered differently and functions are off by an ulp or two, so values near a step
// (floor, compare) may fall on the other side. An element may therefore differ by more than
// rounding only where the evaluator's result also jumps when its inputs move by a few ulps.
struct Setting {
  const char* target;
  int count;
  bool choices;  // plans each program by random choices
};
class RandomPrograms : public ::testing::TestWithParam<Setting> {};

std::vector<Literal> Inputs(const hlo::Module& module, uint32_t seed, double scale) {
  std::mt19937 random(seed);
  std::vector<Literal> inputs;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    Literal input(parameter->shape);
    for (int64_t i = 0; i < parameter->shape.NumElements(); ++i) {
      input.SetFloat(i, (static_cast<double>(random() % 4001) / 1000.0 - 2.0) * scale);
    }
    inputs.push_back(input);
  }
  return inputs;
}

bool Close(double got, double want, double largest) {
  if (std::isnan(got) || std::isnan(want) || std::isinf(got) || std::isinf(want))
    return (std::isnan(got) && std::isnan(want)) || got == want;
  return std::abs(got - want) <= 2e-5 * std::abs(want) + 2e-6 * largest + 1e-6;
}

TEST_P(RandomPrograms, AgreeWithTheEvaluator) {
  const auto& [target, fixed_count, choices] = GetParam();
  ClientOptions client_options;
  client_options.target = target;
  auto client = Client::Create(client_options);
  if (!client.ok()) GTEST_SKIP() << client.status();
  const int count = testing::AskedPrograms(target, fixed_count);
  int64_t jumps = 0, elements = 0;
  for (uint32_t seed = 1; seed <= static_cast<uint32_t>(count) && !HasFailure(); ++seed) {
    const auto module = lowering::RandomGraph(seed);
    const std::vector<Literal> inputs = Inputs(*module, seed, 1.0),
                               moved = Inputs(*module, seed, 1.000003);
    hlo::Evaluator evaluator;
    const auto want = evaluator.Run(*module, inputs), near = evaluator.Run(*module, moved);
    ASSERT_TRUE(want.ok() && near.ok()) << want.status();
    CompileOptions compile;
    if (choices) {
      lowering::PlanOptions plan;
      plan.device = (*client)->target().device;
      plan.target = target;
      std::mt19937 random(seed);
      compile.choices = lowering::RandomChoices(*module, plan, &random);
    }
    auto executable = (*client)->Compile(*module, compile);
    ASSERT_TRUE(executable.ok()) << "seed " << seed << ": " << executable.status() << "\n"
                                 << hlo_text::Print(*module);
    auto results = (*executable)->RunLiterals(inputs);
    ASSERT_TRUE(results.ok()) << "seed " << seed << ": " << results.status() << "\n"
                              << hlo_text::Print(*module);
    ASSERT_EQ(results->size(), want->elements().size());
    for (size_t leaf = 0; leaf < results->size(); ++leaf) {
      const Literal &got = (*results)[leaf], &wanted = want->elements()[leaf],
                    &neighbour = near->elements()[leaf];
      double largest = 0;
      for (int64_t i = 0; i < wanted.shape().NumElements(); ++i) {
        if (std::isfinite(wanted.GetFloat(i)))
          largest = std::max(largest, std::abs(wanted.GetFloat(i)));
      }
      elements += wanted.shape().NumElements();
      for (int64_t i = 0; i < wanted.shape().NumElements() && !HasFailure(); ++i) {
        if (Close(got.GetFloat(i), wanted.GetFloat(i), largest)) continue;
        if (!Close(neighbour.GetFloat(i), wanted.GetFloat(i), largest)) {
          ++jumps;
          continue;
        }
        ADD_FAILURE() << target << ", seed " << seed << " " << compile.choices << ", result "
                      << leaf << " at " << i << ": " << got.GetFloat(i) << ", not "
                      << wanted.GetFloat(i) << "\n"
                      << hlo_text::Print(*module);
      }
    }
  }
  // Such exceptions must be rare, or the test would compare nothing.
  EXPECT_LE(jumps, elements / 100);
  std::cout << target << ": " << count << " programs, " << jumps << " elements beside a step\n";
}

INSTANTIATE_TEST_SUITE_P(All, RandomPrograms,
                         ::testing::Values(Setting{"x86", 60, false}, Setting{"vulkan", 30, false},
                                           Setting{"x86", 24, true}, Setting{"vulkan", 8, true}),
                         [](const auto& info) {
                           return std::string(info.param.target) +
                                  (info.param.choices ? "_choices" : "");
                         });

}  // namespace
}  // namespace halyard
