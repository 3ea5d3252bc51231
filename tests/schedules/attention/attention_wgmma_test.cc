// Attention by Hopper's warpgroups: PTX in the fake driver's interpreter, which checks waits and
// fences of wgmma, compared with the evaluator.

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/attention/attention_specials.h"
#include "tests/schedules/attention/attention_text.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// This must be set before codegen is started, so that kernels stay text.
const int kNoPtxas = setenv("HALYARD_PTXAS", "", 1);

Attention Whole(const std::string& type) {
  Attention a;
  a.type = type;
  a.batch = 1, a.heads = 2, a.queries = 128, a.keys = 256, a.head = a.value = 64;
  a.tolerance = type == "f16" ? 5e-3 : 3e-2;
  return a;
}

std::vector<Attention> Cases() {
  std::vector<Attention> cases;
  auto add = [&](const std::string& name, const std::string& type) -> Attention& {
    cases.push_back(Whole(type));
    cases.back().name = name + "_" + type;
    return cases.back();
  };
  for (const char* type : {"f16", "bf16"}) {
    add("plain", type);
    Attention& wide = add("heads_of_128", type);
    wide.heads = 1, wide.head = wide.value = 128, wide.causal = true;
    Attention& ragged = add("ragged", type);
    ragged.queries = 77, ragged.keys = 203;
    ragged.mask = ragged.heads_inside = true, ragged.guard = true;
  }
  Attention& other = add("values_of_128", "f16");
  other.heads = 1, other.value = 128, other.bias = true, other.keys = 130;
  Attention& throughout = add("throughout", "bf16");
  throughout.narrow_softmax = true, throughout.causal = throughout.guard = true;
  Attention& groups = add("groups", "bf16");
  groups.group = 2, groups.queries = 70, groups.causal = groups.heads_inside = true;
  return cases;
}

std::string NameOf(const ::testing::TestParamInfo<Attention>& info) { return info.param.name; }

class OnHopper : public OnFakeCuda {
 protected:
  void SetUp() override {
    ASSERT_EQ(kNoPtxas, 0);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& schedule) {
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, StartsWith("attention_wgmma "));
    EXPECT_THAT(reply->object, HasSubstr("wgmma.mma_async"));
    EXPECT_THAT(reply->object, Not(HasSubstr("mma.sync")));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

class AttentionWgmma : public OnHopper, public ::testing::WithParamInterface<Attention> {};

TEST_P(AttentionWgmma, AgreesWithTheEvaluator) {
  Check(KernelText(GetParam()), GetParam().tolerance, "");
}

INSTANTIATE_TEST_SUITE_P(All, AttentionWgmma, ::testing::ValuesIn(Cases()), NameOf);

TEST_F(OnHopper, KnobsChangeNoResultBeyondRounding) {
  Attention a = Whole("bf16");
  a.queries = 150, a.keys = 300, a.causal = true;
  for (const char* knobs :
       {"warps=4 keys=64", "warps=4 keys=128", "warps=8 keys=64", "warps=8 keys=128"})
    Check(KernelText(a), a.tolerance, absl::StrCat("attention_wgmma ", knobs));
}

TEST_F(OnHopper, SpecialsAreWhereTheyShouldBe) {
  for (const bool guard : {false, true}) {
    Attention a = Whole("bf16");
    a.mask = true, a.guard = guard, a.keys = 200;
    CheckSpecials(a, 130, *device_, "attention_wgmma warps=4 keys=64");
  }
}

// Queries, keys and values that are heads of one array are copied from where they lie.
TEST_F(OnHopper, PartsOfAnArray) {
  Attention a = Whole("bf16");
  a.batch = 2, a.heads = 2, a.queries = a.keys = 140, a.heads_inside = true;
  std::string text = KernelText(a);
  const std::string shape = "bf16[2,140,2,64] ";
  for (int i : {0, 1, 2}) {
    const std::string parameter = absl::StrCat(shape, "parameter(", i, ")");
    ASSERT_THAT(text, HasSubstr(parameter));
    text = absl::StrReplaceAll(
        text, {{parameter, absl::StrCat(shape, "slice(all), slice={[0:2], [0:140], [", 2 * i, ":",
                                        2 * i + 2, "], [0:64]}")}});
  }
  text = absl::StrReplaceAll(
      text, {{"ENTRY e {\n", "ENTRY e {\n all = bf16[2,140,6,64] parameter(0)\n"}});
  Check(text, a.tolerance, "");
}

// Other widths, types and devices, and few queries, are left to attention_mma.
TEST_F(OnHopper, OthersAreNotTaken) {
  const auto schedule = [&](const Attention& a, int capability = 90) {
    runtime::DeviceInfo info = device_->info();
    info.cuda_capability = capability;
    const auto reply = CompileHlo(KernelText(a), info, "");
    return reply.ok() ? reply->schedule : std::string(reply.status().message());
  };
  EXPECT_THAT(schedule(Whole("bf16")), StartsWith("attention_wgmma "));
  EXPECT_THAT(schedule(Whole("bf16"), 80), StartsWith("attention_mma "));
  EXPECT_THAT(schedule(Whole("bf16"), 100), StartsWith("attention_mma "));
  Attention a = Whole("bf16");
  a.head = 48;
  EXPECT_THAT(schedule(a), StartsWith("attention_mma "));
  a = Whole("bf16");
  a.queries = 16;
  EXPECT_THAT(schedule(a), StartsWith("attention_mma "));
  a = Whole("bf16");
  a.keys = 60;
  EXPECT_THAT(schedule(a), StartsWith("attention_mma "));
}

// What ptxas makes of it: no spills, and products that go on.
TEST_F(OnHopper, Assembles) {
  for (const bool causal : {false, true}) {
    Attention a = Whole("bf16");
    a.queries = a.keys = 2048, a.head = a.value = 128, a.causal = causal;
    const auto reply = CompileHlo(KernelText(a), device_->info(), "attention_wgmma");
    ASSERT_TRUE(reply.ok()) << reply.status();
    const size_t begin = reply->object.find(".version"), end = reply->object.find('\0', begin);
    ASSERT_NE(begin, std::string::npos);
    const auto assembled =
        lowering::gpu::RunPtxas(HALYARD_PTXAS, reply->object.substr(begin, end - begin), 90);
    ASSERT_TRUE(assembled.ok()) << assembled.status();
    ASSERT_EQ(assembled->kernels.size(), 1u);
    EXPECT_EQ(assembled->kernels[0].spill_store_bytes, 0);
    EXPECT_THAT(assembled->words, Not(HasSubstr("serialized")));
  }
}

}  // namespace
}  // namespace halyard::testing
