// Attention by tensor cores: the template's steps with the intrinsics' CPU equivalents, and its PTX
// in the fake driver's interpreter, both against the evaluator.

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
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
class OnFakeCuda : public ::testing::Test {
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

  void Check(const std::string& hlo, double tolerance, const std::string& schedule = "") {
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_THAT(reply->schedule, HasSubstr("attention_mma "));
    EXPECT_THAT(reply->object, HasSubstr("mma.sync"));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }

  void* driver_ = nullptr;
  FakeCuda* fake_ = nullptr;
  runtime::Device* device_ = nullptr;
};

class AttentionPtx : public OnFakeCuda, public ::testing::WithParamInterface<Attention> {};

TEST_P(AttentionPtx, AgreesWithTheEvaluator) {
  Check(KernelText(GetParam()), GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, AttentionPtx, ::testing::ValuesIn(Cases()), NameOf);

TEST_F(OnFakeCuda, KnobsChangeNoResultBeyondRounding) {
  Attention a = Narrow("bf16");
  a.queries = 70, a.keys = 100, a.causal = true;
  for (const char* knobs :
       {"tiles_q=2 warps=1 keys=32 ahead=0", "tiles_q=2 warps=2 keys=64 ahead=1",
        "tiles_q=1 warps=8 keys=128 ahead=0", "keys=96"}) {
    Check(KernelText(a), a.tolerance, absl::StrCat("attention_mma ", knobs));
  }
}

// Factors of f32 where the program's algorithm rounds them.
TEST_F(OnFakeCuda, Tf32) {
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
TEST_F(OnFakeCuda, SpecialsAreWhereTheyShouldBe) {
  for (const bool guard : {false, true}) {
    Attention a = Narrow("bf16");
    a.mask = true, a.guard = guard, a.keys = 150;
    const std::string text = KernelText(a);
    auto module = hlo_text::ParseModule(text, "kernel.hlo");
    ASSERT_TRUE(module.ok());
    std::vector<hlo::Literal> inputs = RandomInputs(**module, 3);
    const double inf = std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < a.queries; ++i) {
      for (int64_t j = 0; j < a.keys; ++j) {
        const bool hidden = i == 5 || (i % 3 == 0 && j >= 40) || (i % 5 == 1 && j < 130);
        inputs[3].SetInt(i * a.keys + j, hidden ? 0 : 1);
      }
    }
    inputs[0].SetFloat(7 * a.head + 2, std::nan(""));
    inputs[0].SetFloat(9 * a.head + 1, inf);
    inputs[0].SetFloat(11 * a.head + 1, -inf);
    const int64_t values = a.keys * a.value;
    inputs[2].SetFloat(values + 45 * a.value + 3, inf);
    inputs[2].SetFloat(values + 46 * a.value + 4, std::nan(""));
    inputs[2].SetFloat(values + 47 * a.value + 3, -inf);
    hlo::Evaluator evaluator;
    auto want = evaluator.Run(**module, inputs);
    ASSERT_TRUE(want.ok()) << want.status();
    const auto reply = CompileHlo(text, device_->info());
    ASSERT_TRUE(reply.ok()) << reply.status();
    auto got = RunKernel(*reply, *device_, **module, inputs);
    ASSERT_TRUE(got.ok()) << got.status();
    int64_t specials = 0;
    for (int64_t i = 0; i < want->shape().NumElements(); ++i) {
      const double w = want->GetAsDouble(i), g = (*got)[0].GetAsDouble(i);
      specials += std::isfinite(w) ? 0 : 1;
      if (std::isfinite(w)) {
        EXPECT_NEAR(g, w, a.tolerance * std::max(1.0, std::abs(w))) << i << " guard " << guard;
      } else {
        EXPECT_EQ(std::isnan(g), std::isnan(w)) << i << ": " << g << ", not " << w;
        EXPECT_TRUE(std::isnan(w) || g == w) << i << ": " << g << ", not " << w;
      }
    }
    EXPECT_GT(specials, 4 * a.value);
  }
}

}  // namespace
}  // namespace halyard::testing
