#include "tests/schedules/attention/attention_specials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {

namespace {

void PutSpecials(const Attention& a, int64_t first_key, std::vector<hlo::Literal>* inputs) {
  const double inf = std::numeric_limits<double>::infinity();
  hlo::Literal &queries = (*inputs)[0], &values = (*inputs)[2], &mask = (*inputs)[3];
  for (int64_t i = 0; i < a.queries; ++i) {
    for (int64_t j = 0; j < a.keys; ++j) {
      const bool hidden = i == 5 || (i % 3 == 0 && j >= 40) || (i % 5 == 1 && j < first_key);
      mask.SetInt(i * a.keys + j, hidden ? 0 : 1);
    }
  }
  queries.SetFloat(7 * a.head + 2, std::nan(""));
  queries.SetFloat(9 * a.head + 1, inf);
  queries.SetFloat(11 * a.head + 1, -inf);
  const int64_t head = a.keys * a.value;
  values.SetFloat(head + 45 * a.value + 3, inf);
  values.SetFloat(head + 46 * a.value + 4, std::nan(""));
  values.SetFloat(head + 47 * a.value + 3, -inf);
}

}  // namespace

void CheckSpecials(const Attention& attention, int64_t first_key, runtime::Device& device,
                   const std::string& schedule) {
  const std::string text = KernelText(attention);
  SCOPED_TRACE(text);
  auto module = hlo_text::ParseModule(text, "kernel.hlo");
  ASSERT_TRUE(module.ok());
  std::vector<hlo::Literal> inputs = RandomInputs(**module, 3);
  PutSpecials(attention, first_key, &inputs);
  hlo::Evaluator evaluator;
  auto want = evaluator.Run(**module, inputs);
  ASSERT_TRUE(want.ok()) << want.status();
  const auto reply = CompileHlo(text, device.info(), schedule);
  ASSERT_TRUE(reply.ok()) << reply.status();
  auto got = RunKernel(*reply, device, **module, inputs);
  ASSERT_TRUE(got.ok()) << got.status();
  int64_t specials = 0;
  for (int64_t i = 0; i < want->shape().NumElements(); ++i) {
    const double w = want->GetAsDouble(i), g = (*got)[0].GetAsDouble(i);
    specials += std::isfinite(w) ? 0 : 1;
    if (std::isfinite(w)) {
      EXPECT_NEAR(g, w, attention.tolerance * std::max(1.0, std::abs(w))) << i;
    } else {
      EXPECT_EQ(std::isnan(g), std::isnan(w)) << i << ": " << g << ", not " << w;
      EXPECT_TRUE(std::isnan(w) || g == w) << i << ": " << g << ", not " << w;
    }
  }
  EXPECT_GT(specials, 4 * attention.value);
}

}  // namespace halyard::testing
