// Attention by tensor cores: the template's steps with the intrinsics' CPU equivalents, and its PTX
// in the fake driver's interpreter, both against the evaluator.

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cuda/cuda.h"
#include "tests/fakes/fake_libcuda.h"
#include "tests/lowering/kernels/attention_text.h"
#include "tests/lowering/kernels/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
    add("plain", type);
    Attention& wide = add("heads_of_64", type);
    wide.heads = 1, wide.head = wide.value = 64, wide.queries = 80, wide.keys = 128;
    wide.causal = true;
    Attention& ragged = add("ragged", type);
    ragged.queries = 37, ragged.keys = 77, ragged.head = 24, ragged.value = 40;
    ragged.mask = ragged.heads_inside = true, ragged.guard = true;
    Attention& odd = add("odd", type);
    odd.queries = 19, odd.keys = 65, odd.head = 33, odd.value = 17, odd.bias = true;
    Attention& throughout = add("throughout", type);
    throughout.narrow_softmax = true, throughout.causal = throughout.guard = true;
  }
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
    for (const char* name : {"ragged_f16", "throughout_bf16", "groups_bf16"}) {
      if (a.name == name) cases.push_back(a);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, AttentionLanes, ::testing::ValuesIn(LanesCases()), NameOf);

// CUDA's kernels as PTX, in the fake driver's interpreter.
class AttentionPtx : public ::testing::TestWithParam<Attention> {
 protected:
  void SetUp() override {
    ASSERT_EQ(kNoPtxas, 0);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    driver_ = dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver_, nullptr) << dlerror();
    reinterpret_cast<void (*)()>(dlsym(driver_, "HalyardResetFakeCuda"))();
    fake_ = reinterpret_cast<FakeCuda* (*)()>(dlsym(driver_, "HalyardFakeCuda"))();
    runtime::cuda::Options options;
    options.library = HALYARD_FAKE_LIBCUDA;
    const runtime::Status status = runtime::cuda::OpenDevice(0, options, &device_);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
    EXPECT_THAT(fake_->violations, IsEmpty());
  }

  void Check(const Attention& attention, const std::string& schedule = "") {
    const std::string hlo = KernelText(attention);
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("attention_mma "));
    EXPECT_THAT(reply->object, HasSubstr("mma.sync"));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, attention.tolerance), "");
  }

  void* driver_ = nullptr;
  FakeCuda* fake_ = nullptr;
  runtime::Device* device_ = nullptr;
};

TEST_P(AttentionPtx, AgreesWithTheEvaluator) { Check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, AttentionPtx, ::testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace halyard::testing
