// Tests attention by tensor cores: the template's steps with the intrinsics' CPU equivalents, and
// its PTX in the fake driver's interpreter. Both are compared with the evaluator.

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/sample.h"
#include "tests/schedules/attention/attention_specials.h"
#include "tests/schedules/attention/attention_text.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

// This must be set before codegen is started, so that kernels stay text.
const int kNoPtxas = setenv("HALYARD_PTXAS", "", 1);

Attention Narrow(const std::string& type) {
  Attention a;
  a.type = type;
  a.batch = 1, a.heads = 2, a.queries = 48, a.keys = 96, a.head = 32, a.value = 32;
  a.tolerance = type == "f16" ? 5e-3 : 3e-2;
  return a;
}

std::vector<Attention> Cases() {
  std::vector<Attention> cases;
  auto add = [&](const std::string& name, const std::string& type) -> Attention& {
    cases.push_back(Narrow(type));
    cases.back().name = name + "_" + type;
    return cases.back();
  };
  for (const char* type : {"f16", "bf16"}) {
    Attention& wide = add("heads_of_64", type);
    wide.heads = 1, wide.head = wide.value = 64, wide.queries = 80, wide.keys = 128;
    wide.causal = true;
    Attention& ragged = add("ragged", type);
    ragged.queries = 37, ragged.keys = 77, ragged.head = 24, ragged.value = 40;
    ragged.mask = ragged.heads_inside = true, ragged.guard = true;
  }
  Attention& odd = add("odd", "f16");
  odd.queries = 19, odd.keys = 65, odd.head = 33, odd.value = 17, odd.bias = true;
  Attention& throughout = add("throughout", "bf16");
  throughout.narrow_softmax = true, throughout.causal = throughout.guard = true;
  Attention& groups = add("groups", "bf16");
  groups.group = 2, groups.queries = 20, groups.causal = groups.heads_inside = true;
  return cases;
}

std::string NameOf(const ::testing::TestParamInfo<Attention>& info) { return info.param.name; }

class AttentionLanes : public ::testing::TestWithParam<Attention> {};

TEST_P(AttentionLanes, AgreesWithTheEvaluator) {
  EXPECT_EQ(CheckKernel(KernelText(GetParam()), "x86", GetParam().tolerance, "attention_mma_lanes"),
            "");
}

// These take long to compile, so only the cases with the most features are here.
std::vector<Attention> LanesCases() {
  std::vector<Attention> cases;
  for (const Attention& a : Cases()) {
    for (const char* name : {"ragged_f16", "throughout_bf16"}) {
      if (a.name == name) cases.push_back(a);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, AttentionLanes, ::testing::ValuesIn(LanesCases()), NameOf);

// Runs CUDA kernels as PTX in the fake driver's interpreter.
class AttentionOnFakeCuda : public OnFakeCuda {
 protected:
  void SetUp() override {
    ASSERT_EQ(kNoPtxas, 0);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance,
             const std::string& schedule = "attention_mma") {
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("attention_mma "));
    EXPECT_THAT(reply->object, HasSubstr("mma.sync"));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

class AttentionPtx : public AttentionOnFakeCuda, public ::testing::WithParamInterface<Attention> {};

TEST_P(AttentionPtx, AgreesWithTheEvaluator) {
  Check(KernelText(GetParam()), GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, AttentionPtx, ::testing::ValuesIn(Cases()), NameOf);

TEST_F(AttentionOnFakeCuda, KnobsChangeNoResultBeyondRounding) {
  Attention a = Narrow("bf16");
  a.queries = 70, a.keys = 100, a.causal = true;
  for (const char* knobs :
       {"tiles_q=2 warps=1 keys=32 ahead=0", "tiles_q=2 warps=2 keys=64 ahead=1",
        "tiles_q=1 warps=8 keys=128 ahead=0", "keys=96"}) {
    Check(KernelText(a), a.tolerance, absl::StrCat("attention_mma ", knobs));
  }
}

// Queries, keys and values that are heads of one array are read where they lie.
TEST_F(AttentionOnFakeCuda, PartsOfAnArray) {
  Attention a = Narrow("bf16");
  a.batch = 2, a.heads = 2, a.queries = a.keys = 70, a.head = a.value = 64, a.heads_inside = true;
  std::string text = KernelText(a);
  const std::string shape = "bf16[2,70,2,64] ";
  for (int i : {0, 1, 2}) {
    const std::string parameter = absl::StrCat(shape, "parameter(", i, ")");
    ASSERT_THAT(text, HasSubstr(parameter));
    text = absl::StrReplaceAll(
        text, {{parameter, absl::StrCat(shape, "slice(all), slice={[0:2], [0:70], [", 2 * i, ":",
                                        2 * i + 2, "], [0:64]}")}});
  }
  text = absl::StrReplaceAll(text,
                             {{"ENTRY e {\n", "ENTRY e {\n all = bf16[2,70,6,64] parameter(0)\n"}});
  Check(text, a.tolerance);
}

// Factors of f32, in programs whose algorithm rounds them.
TEST_F(AttentionOnFakeCuda, Tf32) {
  Attention a;
  a.heads = 1, a.queries = 40, a.keys = 70, a.head = 32, a.value = 32, a.causal = true;
  std::string text = KernelText(a);
  EXPECT_THAT(CompileHlo(text, device_->info())->schedule, HasSubstr("attention threads"));
  for (const char* dims : {"rhs_contracting_dims={3}", "rhs_contracting_dims={2}"}) {
    text = absl::StrReplaceAll(text, {{dims, absl::StrCat(dims, ", algorithm=dot_tf32_tf32_f32")}});
  }
  Check(text, 1e-2);
  EXPECT_EQ(CheckKernel(text, "x86", 1e-2, "attention_mma_lanes"), "");
}

// Masks that depend on places alone: blocks of keys that none of a group's queries sees are left
// out.
TEST_F(AttentionOnFakeCuda, MasksCutTheKeys) {
  Attention a = Narrow("bf16");
  a.heads = 1, a.queries = 96, a.keys = 160, a.causal = true;
  const std::string text = KernelText(a);
  const std::string compare = "m = pred[96,160] compare(i, j), direction=GE";
  ASSERT_THAT(text, HasSubstr(compare));
  const std::string window =
      "k0 = s32[] constant(20)\n k1 = s32[96,160] broadcast(k0), dimensions={}\n "
      "k2 = s32[96,160] subtract(i, k1)\n k3 = s32[96,160] add(i, k1)\n ";
  const std::vector<std::string> masks = {
      compare,
      "m = pred[96,160] compare(j, i), direction=LT",
      window + "m = pred[96,160] compare(k3, j), direction=GT",
      window +
          "low_end = pred[96,160] compare(j, k2), direction=GT\n high_end = pred[96,160] "
          "compare(j, k3), "
          "direction=LE\n m = pred[96,160] and(low_end, high_end)",
      // Queries that see no key, or some of whose keys another condition hides.
      window + "m = pred[96,160] compare(k2, j), direction=GE",
      "low_end = pred[96,160] compare(i, j), direction=GE\n high_end = pred[96,160] parameter(3)\n "
      "m = pred[96,160] and(low_end, high_end)",
  };
  const auto check = [&](const std::string& mask, const char* low, const char* schedule) {
    Check(absl::StrReplaceAll(text, {{compare, mask},
                                     {"low = f32[] constant(-inf)",
                                      absl::StrCat("low = f32[] constant(", low, ")")}}),
          a.tolerance, schedule);
  };
  size_t number = 0;  // both take turns without $HALYARD_ALL_CASES
  for (const std::string& mask : masks) {
    const bool infinite = number++ % 2 == 0;
    if (AllCases() || infinite)
      check(mask, "-inf", "attention_mma tiles_q=1 warps=2 keys=32 ahead=0");
    if (AllCases() || !infinite) check(mask, "-1e30", "");
  }
  check(compare, "-1000", "");  // exp need not be 0, so all keys are visited
}

// Values of keys that no query of a group sees are not read. Here, they are NaN.
TEST_F(AttentionOnFakeCuda, HiddenBlocksAreNotRead) {
  Attention a = Narrow("bf16");
  a.heads = 1, a.queries = 128, a.keys = 128, a.causal = true;
  for (const char* low : {"-inf", "-1e30", "-1000"}) {
    const std::string text = absl::StrReplaceAll(
        KernelText(a),
        {{"low = f32[] constant(-inf)", absl::StrCat("low = f32[] constant(", low, ")")}});
    const auto module = hlo_text::ParseModule(text, "kernel.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    std::vector<hlo::Literal> inputs = RandomInputs(**module, 3);
    const int64_t first_hidden = 64;
    for (int64_t i = first_hidden * a.value; i < a.keys * a.value; ++i)
      inputs[2].SetFloat(i, std::nan(""));
    const auto reply =
        CompileHlo(text, device_->info(), "attention_mma tiles_q=1 warps=2 keys=32 ahead=1");
    ASSERT_TRUE(reply.ok()) << reply.status();
    const auto got = RunKernel(*reply, *device_, **module, inputs);
    ASSERT_TRUE(got.ok()) << got.status();
    for (int64_t row = 0; row < a.queries; ++row) {
      const bool sees = row >= first_hidden || low == std::string("-1000");
      EXPECT_EQ(std::isnan((*got)[0].GetAsDouble(row * a.value)), sees) << low << " " << row;
    }
  }
}

// Groups share the keys of the same queries. Some parts have no key, or none that a row sees.
TEST_F(AttentionOnFakeCuda, SplitKeys) {
  Attention plain = Narrow("f16");
  plain.queries = 20, plain.keys = 150;
  Attention ragged = Narrow("bf16");
  ragged.queries = 7, ragged.keys = 70, ragged.head = 24, ragged.value = 40;
  ragged.mask = ragged.heads_inside = ragged.guard = true;
  Attention groups = Narrow("bf16");
  groups.group = 4, groups.queries = 3, groups.keys = 128, groups.heads_inside = true;
  groups.bias = false, groups.narrow_softmax = true;
  for (const Attention& a : {plain, ragged, groups}) {
    for (const char* knobs : {"tiles_q=1 warps=1 keys=32 ahead=1 splits=2",
                              "tiles_q=1 warps=2 keys=32 ahead=0 splits=8"}) {
      Check(KernelText(a), a.tolerance, absl::StrCat("attention_mma ", knobs));
    }
  }
  Attention specials = Narrow("bf16");
  specials.mask = true, specials.keys = 150;
  for (const bool guard : {false, true}) {
    specials.guard = guard;
    CheckSpecials(specials, 130, *device_, "attention_mma warps=1 keys=32 splits=3");
  }
  // Few queries with many keys are split by default.
  Attention few = Narrow("bf16");
  few.heads = 1, few.queries = 4, few.keys = 1024;
  const auto reply = CompileHlo(KernelText(few), device_->info());
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, ::testing::ContainsRegex("splits=([2-9]|[1-3][0-9])"));
  EXPECT_EQ(CheckReply(*reply, KernelText(few), *device_, few.tolerance), "");
}

// All scores are -512. Nothing may be scaled by exp(512) before there is anything to scale.
TEST_F(AttentionOnFakeCuda, LowScores) {
  Attention a = Narrow("bf16");
  a.heads = 1, a.keys = 128;
  const auto module = hlo_text::ParseModule(KernelText(a), "kernel.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<hlo::Literal> inputs = RandomInputs(**module, 3);
  for (int64_t i = 0; i < a.queries * a.head; ++i) inputs[0].SetFloat(i, 8);
  for (int64_t i = 0; i < a.keys * a.head; ++i) inputs[1].SetFloat(i, -8);
  for (const char* knobs : {"splits=1", "splits=3"}) {
    const auto reply = CompileHlo(KernelText(a), device_->info(),
                                  absl::StrCat("attention_mma warps=1 keys=32 ", knobs));
    ASSERT_TRUE(reply.ok()) << reply.status();
    const auto got = RunKernel(*reply, *device_, **module, inputs);
    ASSERT_TRUE(got.ok()) << got.status();
    double mean = 0;
    for (int64_t key = 0; key < a.keys; ++key)
      mean += inputs[2].GetAsDouble(key * a.value) / static_cast<double>(a.keys);
    for (int64_t row = 0; row < a.queries; ++row)
      EXPECT_NEAR((*got)[0].GetAsDouble(row * a.value), mean, 0.01) << knobs << " " << row;
  }
}

// Rows without a key, infinite and NaN scores and values: NaN and infinity must be where the
// evaluator has them, also if the first block of a row is hidden and later ones are not.
TEST_F(AttentionOnFakeCuda, SpecialsAreWhereTheyShouldBe) {
  for (const bool guard : {false, true}) {
    Attention a = Narrow("bf16");
    a.mask = true, a.guard = guard, a.keys = 150;
    CheckSpecials(a, 130, *device_);
  }
}

}  // namespace
}  // namespace halyard::testing
