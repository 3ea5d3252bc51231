#include "autotuner/rules/sampled_kernel.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/oracle.h"
#include "autotuner/rules/made_up_inputs.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using hlo::Literal;

std::unique_ptr<hlo::Module> Parse(const std::string& body) {
  const std::string text = absl::StrCat(R"(HloModule k

add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT r = f32[] add(x, y) }
max { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT r = f32[] maximum(x, y) }
less { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT r = pred[] compare(x, y), direction=LT }
both {
  a = f32[] parameter(0)  b = s32[] parameter(1)  c = f32[] parameter(2)  d = s32[] parameter(3)
  s = f32[] add(a, c)
  t = s32[] maximum(b, d)
  ROOT r = (f32[], s32[]) tuple(s, t)
}

ENTRY e {
)",
                                        body, "}\n");
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = hlo_text::ParseModule(text, "kernel.hlo");
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return module.ok() ? *std::move(module) : nullptr;
}

std::vector<Literal> Evaluate(const hlo::Module& module, const std::vector<Literal>& inputs) {
  hlo::Evaluator evaluator;
  const absl::StatusOr<Literal> result = evaluator.Run(module, inputs);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  return result->shape().IsTuple() ? result->elements() : std::vector<Literal>{*result};
}

struct Kernel {
  const char* name;
  const char* body;
  std::vector<std::vector<size_t>> sampled;  // which dimensions of each output; {}: no samples
};
void PrintTo(const Kernel& kernel, std::ostream* out) { *out << kernel.name; }

class SampledKernels : public ::testing::TestWithParam<Kernel> {};

TEST_P(SampledKernels, HaveTheElementsOfTheWhole) {
  const auto module = Parse(GetParam().body);
  ASSERT_NE(module, nullptr);
  const std::vector<Literal> inputs = MadeUpInputs(*module);
  const std::vector<Literal> whole = Evaluate(*module, inputs);
  const double most = WorkOf(*module) / 30;
  const std::vector<SampledOutput> outputs = SampleOutputs(*module, most);
  ASSERT_EQ(outputs.size(), GetParam().sampled.size());
  double work = 0;
  for (size_t o = 0; o < outputs.size(); ++o) {
    const SampledOutput& output = outputs[o];
    for (size_t d = 0; d < output.sample.dims.size(); ++d) {
      const std::vector<size_t>& dims = GetParam().sampled[o];
      EXPECT_EQ(!output.sample.indices[d].empty(),
                std::find(dims.begin(), dims.end(), d) != dims.end())
          << o << " " << d;
    }
    std::vector<Literal> arguments;
    for (const SampledParameter& p : output.parameters)
      arguments.push_back(PartOf(inputs[static_cast<size_t>(p.number)], p.part));
    const std::vector<Literal> part = Evaluate(*output.module, arguments);
    ASSERT_EQ(part.size(), 1u);
    const Literal want = PartOf(whole[o], output.sample);
    ASSERT_EQ(part[0].shape().dims(), want.shape().dims());
    for (int64_t i = 0; i < want.shape().NumElements(); ++i)
      EXPECT_NEAR(part[0].GetAsDouble(i), want.GetAsDouble(i), 1e-6 * std::abs(want.GetAsDouble(i)))
          << o << " " << i;
    work += WorkOf(*output.module);
  }
  if (!outputs.empty()) EXPECT_LT(work, WorkOf(*module) / 3);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SampledKernels,
                         ::testing::Values(Kernel{"product",
                                                  R"(
  a = f32[160,64] parameter(0)
  b = f32[192,64] parameter(1)
  bias = f32[192] parameter(2)
  d = f32[160,192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  c = f32[160,192] broadcast(bias), dimensions={1}
  s = f32[160,192] add(d, c)
  ROOT r = f32[160,192] tanh(s)
)",
                                                  {{0, 1}}},
                                           Kernel{"batched_product",
                                                  R"(
  a = f32[24,96,16] parameter(0)
  b = f32[16,24,80] parameter(1)
  ROOT d = f32[24,96,80] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}
)",
                                                  {{0, 1, 2}}},
                                           Kernel{"attention_with_a_mask",
                                                  R"(
  q = f32[4,192,16] parameter(0)
  k = f32[4,192,16] parameter(1)
  v = f32[4,192,16] parameter(2)
  zero = f32[] constant(0)
  least = f32[] constant(-1e30)
  s = f32[4,192,192] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  row = s32[192,192] iota(), iota_dimension=0
  column = s32[192,192] iota(), iota_dimension=1
  seen = pred[192,192] compare(row, column), direction=GE
  mask = pred[4,192,192] broadcast(seen), dimensions={1,2}
  hidden = f32[4,192,192] broadcast(least), dimensions={}
  l = f32[4,192,192] select(mask, s, hidden)
  m = f32[4,192] reduce(l, least), dimensions={2}, to_apply=max
  ms = f32[4,192,192] broadcast(m), dimensions={0,1}
  x = f32[4,192,192] subtract(l, ms)
  w = f32[4,192,192] exponential(x)
  t = f32[4,192] reduce(w, zero), dimensions={2}, to_apply=add
  ts = f32[4,192,192] broadcast(t), dimensions={0,1}
  p = f32[4,192,192] divide(w, ts)
  ROOT o = f32[4,192,16] dot(p, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
)",
                                                  {{1, 2}}},
                                           Kernel{"one_parameter_in_two_ways",
                                                  R"(
  a = f32[128,128] parameter(0)
  ROOT d = f32[128,128] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={1}
)",
                                                  {{0, 1}}},
                                           Kernel{"convolution",
                                                  R"(
  x = f32[32,7,6,8] parameter(0)
  w = f32[3,3,8,64] parameter(1)
  ROOT c = f32[32,7,6,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
)",
                                                  {{0, 3}}},
                                           Kernel{"moves",
                                                  R"(
  a = f32[300,40] parameter(0)
  b = f32[40,2,97] parameter(1)
  zero = f32[] constant(0)
  t = f32[40,300] transpose(a), dimensions={1,0}
  l = f32[40,97] slice(t), slice={[0:40], [10:300:3]}
  p = f32[40,1,97] reshape(l)
  c = f32[40,3,97] concatenate(p, b), dimensions={1}
  v = f32[40,3,97] reverse(c), dimensions={1}
  g = f32[40,5,97] pad(v, zero), padding=0_0x1_1x0_0
  ROOT r = f32[1,40,5,97] reshape(g)
)",
                                                  {{1, 3}}},
                                           Kernel{"two_results",
                                                  R"(
  a = f32[400,50] parameter(0)
  zero = f32[] constant(0)
  s = f32[400] reduce(a, zero), dimensions={1}, to_apply=add
  e = f32[400,50] exponential(a)
  ROOT t = (f32[400], f32[400,50]) tuple(s, e)
)",
                                                  {{0}, {0, 1}}},
                                           Kernel{"a_reduction_of_pairs",
                                                  R"(
  a = f32[30,400] parameter(0)
  b = s32[30,400] parameter(1)
  zero = f32[] constant(0)
  least = s32[] constant(-100)
  ROOT r = (f32[400], s32[400]) reduce(a, b, zero, least), dimensions={0}, to_apply=both
)",
                                                  {{0}, {0}}},
                                           Kernel{"sorted_rows",
                                                  R"(
  a = f32[200,30] parameter(0)
  ROOT s = f32[200,30] sort(a), dimensions={1}, to_apply=less
)",
                                                  {{0}}},
                                           Kernel{"one_sorted_row",
                                                  R"(
  a = f32[3000] parameter(0)
  ROOT s = f32[3000] sort(a), dimensions={0}, to_apply=less
)",
                                                  {}},
                                           Kernel{"windows",
                                                  R"(
  a = f32[200,30] parameter(0)
  zero = f32[] constant(0)
  ROOT w = f32[200,28] reduce-window(a, zero), window={size=1x3}, to_apply=add
)",
                                                  {{0}}}),
                         [](const auto& info) { return std::string(info.param.name); });

void ExpectLittleWork(const std::string& body, double times, int64_t rows) {
  const auto module = Parse(body);
  ASSERT_NE(module, nullptr);
  const std::vector<SampledOutput> outputs = SampleOutputs(*module, kMostOracleWork);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_LE(WorkOf(*outputs[0].module), kMostOracleWork);
  EXPECT_GT(WorkOf(*module), times * WorkOf(*outputs[0].module));
  EXPECT_GE(outputs[0].sample.Elements(), rows * rows);
}

// Inputs of real sizes are not made here, but the evaluator's work does not depend on them.
TEST(SampleOutputs, LeaveLittleOfKernelsOfRealSizes) {
  ExpectLittleWork(R"(
  a = bf16[4096,4096] parameter(0)
  b = bf16[4096,4096] parameter(1)
  ROOT d = bf16[4096,4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
                   30, 400);
  ExpectLittleWork(R"(
  a = bf16[16384,16384] parameter(0)
  b = bf16[16384,16384] parameter(1)
  ROOT d = bf16[16384,16384] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}
)",
                   2000, 200);
  ExpectLittleWork(R"(
  q = bf16[16,2048,128] parameter(0)
  k = bf16[16,2048,128] parameter(1)
  s = bf16[16,2048,2048] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  w = bf16[16,2048,2048] exponential(s)
  ROOT o = bf16[16,2048,128] dot(w, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
)",
                   10, 300);
}

TEST(SampleOutputs, LeaveSmallKernelsWhole) {
  const auto module = Parse("  a = f32[512,512] parameter(0)\n  ROOT n = f32[512,512] negate(a)\n");
  EXPECT_TRUE(SampleOutputs(*module, kMostOracleWork).empty());
}

}  // namespace
}  // namespace halyard::autotuner
