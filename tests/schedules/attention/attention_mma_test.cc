// Attention by tensor cores: the template's steps with the intrinsics' CPU equivalents, and its PTX
// in the fake driver's interpreter, both against the evaluator.

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/attention/attention_specials.h"
#include "tests/schedules/attention/attention_text.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

// Before codegen is started: kernels stay text.
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

// They take long to compile: those with most in them.
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

// CUDA's kernels as PTX, in the fake driver's interpreter.
class AttentionOnFakeCuda : public OnFakeCuda {
 protected:
  void SetUp() override {
    ASSERT_EQ(kNoPtxas, 0);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& schedule = "") {
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

// Factors of f32 where the program's algorithm rounds them.
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

// Rows without a key, infinite and NaN scores and values: NaN and infinity where the evaluator has
// them, also where the first block of a row is hidden and later ones are not.
TEST_F(AttentionOnFakeCuda, SpecialsAreWhereTheyShouldBe) {
  for (const bool guard : {false, true}) {
    Attention a = Narrow("bf16");
    a.mask = true, a.guard = guard, a.keys = 150;
    CheckSpecials(a, 130, *device_);
  }
}

}  // namespace
}  // namespace halyard::testing
