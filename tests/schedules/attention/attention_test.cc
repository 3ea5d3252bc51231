// Tests attention as one kernel against the evaluator, which does one op after the other: sizes,
// masks, biases, layouts, types, and what becomes of NaNs and infinities.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/attention/form.h"
#include "schedules/schedule.h"
#include "tests/sample.h"
#include "tests/schedules/attention/attention_specials.h"
#include "tests/schedules/attention/attention_text.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/worst_error.h"

namespace halyard::testing {
namespace {

using hlo::Literal;

std::vector<Attention> Cases() {
  std::vector<Attention> cases;
  auto add = [&](const std::string& name) -> Attention& {
    cases.push_back({});
    cases.back().name = name;
    return cases.back();
  };
  add("plain");
  Attention& odd = add("odd_sizes");
  odd.queries = 37, odd.keys = 29, odd.head = 7, odd.value = 5;
  Attention& tiles = add("whole_tiles");
  tiles.queries = 96, tiles.keys = 128, tiles.head = 64, tiles.value = 64;
  Attention& few = add("few_queries");
  few.queries = 3, few.keys = 70, few.head = 32;
  Attention& one = add("one_head_of_all");
  one.batch = 1, one.heads = 1, one.queries = 70, one.keys = 65;
  Attention& wide = add("wide_heads");
  wide.batch = 1, wide.heads = 1, wide.head = 130, wide.value = 96;
  add("causal").causal = true;
  Attention& causal = add("causal_guarded_bias");
  causal.causal = causal.guard = causal.bias = true;
  Attention& mask = add("mask_inside");
  mask.mask = mask.heads_inside = true;
  mask.guard = true;
  Attention& groups = add("groups");
  groups.group = 4, groups.queries = 20, groups.causal = true;
  Attention& inside = add("groups_inside");
  inside.group = 2, inside.heads_inside = inside.guard = inside.mask = true;
  for (const char* type : {"bf16", "f16"}) {
    Attention& half = add(absl::StrCat(type, "_softmax_in_f32"));
    half.type = type, half.tolerance = 2e-2, half.causal = half.heads_inside = true;
    Attention& narrow = add(absl::StrCat(type, "_throughout"));
    narrow.type = type, narrow.narrow_softmax = true, narrow.tolerance = 3e-2;
  }
  return cases;
}

class AttentionKernels : public ::testing::TestWithParam<std::tuple<Attention, const char*>> {};

TEST_P(AttentionKernels, AgreesWithTheEvaluator) {
  const auto& [attention, device] = GetParam();
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
  const std::string text = KernelText(attention);
  auto module = hlo_text::ParseModule(text, "kernel.hlo");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  ASSERT_TRUE(lowering::AttentionOfKernel(*(*module)->entry()).has_value()) << text;
  const auto reply = CompileHlo(text, InfoNamed(device));
  ASSERT_TRUE(reply.ok()) << reply.status() << "\n" << text;
  EXPECT_EQ(reply->schedule.substr(0, 9), "attention") << reply->schedule;
  EXPECT_EQ(CheckReply(*reply, text, *DeviceNamed(device), attention.tolerance), "");
}

// Older levels of x86 take turns without $HALYARD_ALL_CASES (tests/sample.h).
std::vector<std::tuple<Attention, const char*>> CasesOnDevices() {
  std::vector<std::tuple<Attention, const char*>> cases;
  size_t index = 0;
  for (const Attention& attention : Cases()) {
    for (const char* device : {"x86", "vulkan"}) cases.emplace_back(attention, device);
    const size_t turn = index++ % 2;
    if (AllCases() || turn == 0) cases.emplace_back(attention, "x86:v2");
    if (AllCases() || turn == 1) cases.emplace_back(attention, "x86:v3");
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, AttentionKernels, ::testing::ValuesIn(CasesOnDevices()),
                         [](const auto& info) {
                           std::string name = absl::StrCat(std::get<0>(info.param).name, "_",
                                                           std::get<1>(info.param));
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

TEST(AttentionKernel, PlainTakesItToo) {
  Attention attention;
  attention.causal = attention.guard = true;
  EXPECT_EQ(CheckKernel(KernelText(attention), "x86", 1e-5, "plain"), "");
}

// Returns how many elements the Func has where it is allocated, 0 if it is not.
int64_t Allocated(const std::string& stmt, const std::string& func) {
  const std::string start = absl::StrCat("allocate ", func, "[float32");
  const size_t at = stmt.find(start);
  if (at == std::string::npos) return 0;
  const std::string sizes = stmt.substr(at + start.size(), stmt.find(']', at) - at - start.size());
  int64_t elements = 1;
  for (absl::string_view size : absl::StrSplit(sizes, " * ", absl::SkipEmpty())) {
    int64_t value = 0;
    EXPECT_TRUE(absl::SimpleAtoi(size, &value)) << sizes;
    elements *= value;
  }
  return elements;
}

// A task on x86 packs the keys and values of its own head alone.
TEST(AttentionKernel, TasksPackTheirOwnHead) {
  for (bool inside : {false, true}) {
    for (int64_t group : {1, 2}) {
      Attention a;
      a.keys = 48, a.value = 32, a.heads_inside = inside, a.group = group;
      const auto reply = CompileHlo(KernelText(a), InfoNamed("x86"), "", {}, /*dump=*/true);
      ASSERT_TRUE(reply.ok()) << reply.status();
      EXPECT_EQ(Allocated(reply->dump.stmt, "keys"), a.keys * a.head) << inside << group;
      EXPECT_EQ(Allocated(reply->dump.stmt, "values"), a.keys * a.value) << inside << group;
    }
  }
}

// Blocks overlap if they do not divide the queries. At most a twentieth of the rows may be computed
// twice, at the lengths that networks have (128: BERT, 197: ViT).
TEST(AttentionKernel, BlocksComputeFewQueriesTwice) {
  runtime::DeviceInfo device = InfoNamed("x86:v3");
  for (uint64_t more : {uint64_t{0}, uint64_t{runtime::kX86Avx512}}) {
    device.x86_features |= more;
    for (int64_t queries : {128, 197, 384, 512, 1024}) {
      Attention attention;
      attention.queries = attention.keys = queries;
      attention.head = attention.value = 64;
      const auto reply = CompileHlo(KernelText(attention), device);
      ASSERT_TRUE(reply.ok()) << reply.status();
      const auto schedule = schedules::Schedule::Parse(reply->schedule);
      ASSERT_TRUE(schedule.ok()) << schedule.status();
      const int64_t block = schedule->Get("tile_q") * schedule->Get("blocks");
      EXPECT_LE((queries + block - 1) / block * block, queries + queries / 20)
          << reply->schedule << " for " << queries;
    }
  }
}

TEST(AttentionKernel, KnobsChangeNoResultBeyondRounding) {
  Attention attention;
  attention.queries = 61, attention.keys = 77, attention.causal = attention.guard = true;
  const std::string text = KernelText(attention);
  for (const char* line :
       {"attention tile_q=1 blocks=1 steps=1", "attention tile_q=4 blocks=2",
        "attention tile_k=16 tile_v=16 tile_q=6", "attention tile_q=14 steps=2"}) {
    EXPECT_EQ(CheckKernel(text, "x86", 1e-5, line), "") << line;
  }
  if (DeviceNamed("vulkan") == nullptr) return;
  for (const char* line :
       {"attention threads_q=2 rows=1 keys=1", "attention threads_q=4 keys=4 stage_queries=0"}) {
    EXPECT_EQ(CheckKernel(text, "vulkan", 1e-5, line), "") << line;
  }
}

// Rows without a key, infinite and NaN scores and values: NaN and infinity must be where the
// evaluator has them.
class AttentionSpecials : public ::testing::TestWithParam<const char*> {};

TEST_P(AttentionSpecials, AreWhereTheyShouldBe) {
  const std::string device = GetParam();
  if (DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device << " here";
  for (const bool guard : {false, true}) {
    Attention a;
    a.batch = 1, a.heads = 2, a.mask = true, a.guard = guard, a.head = 8, a.value = 8;
    CheckSpecials(a, 0, *DeviceNamed(device));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, AttentionSpecials, ::testing::Values("x86", "vulkan"));

// Results have the same bits in every run, and are as close to a sum in f64 as those of the
// program's own order.
TEST(AttentionKernel, ErrorsAreOfTheSizeOfOneProduct) {
  Attention a;
  a.batch = 1, a.heads = 1, a.queries = 64, a.keys = 512, a.head = 64, a.value = 32;
  const std::string text = KernelText(a);
  auto module = hlo_text::ParseModule(text, "kernel.hlo");
  ASSERT_TRUE(module.ok());
  const std::vector<Literal> inputs = RandomInputs(**module, 5);
  for (const std::string device : {"x86", "vulkan"}) {
    if (DeviceNamed(device) == nullptr) continue;
    const auto reply = CompileHlo(text, InfoNamed(device));
    ASSERT_TRUE(reply.ok()) << reply.status();
    auto first = RunKernel(*reply, *DeviceNamed(device), **module, inputs);
    auto second = RunKernel(*reply, *DeviceNamed(device), **module, inputs);
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_TRUE((*first)[0].BitwiseEqual((*second)[0])) << device;
    double worst = 0;
    for (int64_t i = 0; i < a.queries; ++i) {
      std::vector<double> w(a.keys);
      double most = -1e300, sum = 0;
      for (int64_t j = 0; j < a.keys; ++j) {
        double s = 0;
        for (int64_t d = 0; d < a.head; ++d) {
          s += inputs[0].GetAsDouble(i * a.head + d) * inputs[1].GetAsDouble(j * a.head + d);
        }
        w[j] = s * 0.25;
        most = std::max(most, w[j]);
      }
      for (double& x : w) sum += x = std::exp(x - most);
      for (int64_t c = 0; c < a.value; ++c) {
        double o = 0;
        for (int64_t j = 0; j < a.keys; ++j) o += w[j] * inputs[2].GetAsDouble(j * a.value + c);
        worst = Worse(worst, std::abs((*first)[0].GetAsDouble(i * a.value + c) - o / sum));
      }
    }
    // Scores up to some 40 carry an error of 40·2^-23, which the exponential turns into a relative
    // one.
    EXPECT_LT(worst, 2e-5) << device;
  }
}

}  // namespace
}  // namespace halyard::testing
