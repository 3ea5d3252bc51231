// Tests what products of AMX tiles compute, on any CPU: kernels run with emulated tiles and are
// compared with the evaluator, and with it by the tuner's rules for whole numbers and special
// values. tests/schedules/contraction/x86_tiles_test.cc looks at the machine code.
#include "codegen/passes/tile_products.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "autotuner/rules/made_up_inputs.h"
#include "autotuner/rules/output_rule.h"
#include "autotuner/rules/rounding_rules.h"
#include "autotuner/rules/special_values.h"
#include "codegen/passes/strict_code.h"
#include "codegen/passes/vector_pairs.h"
#include "codegen/passes/whole_loops.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/fragments.h"
#include "lowering/kernels/kernel.h"
#include "lowering/kernels/marks.h"
#include "schedules/registry.h"
#include "tests/codegen/passes/tile_emulator.h"
#include "tests/sample.h"
#include "tests/schedules/contraction/tile_cases.h"

namespace halyard::testing {
namespace {

using hlo::Literal;
using ::testing::HasSubstr;

lowering::KernelRequest RequestOf(const std::string& hlo, const runtime::DeviceInfo& device) {
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = device;
  return request;
}

// The array's elements in memory, as Halide sees them.
Halide::Buffer<> View(Literal* literal, Halide::Type type) {
  const absl::Span<const int64_t> dims = literal->shape().dims();
  const std::vector<int> extents(dims.rbegin(), dims.rend());
  return Halide::Buffer<>(type, literal->mutable_bytes().data(), extents);
}

// A kernel that is compiled with emulated tiles.
class EmulatedKernel {
 public:
  EmulatedKernel(const std::string& hlo, const std::string& line)
      : scope_(lowering::HalideTarget(CpuWithTiles())),
        kernel_(lowering::LowerKernel(RequestOf(hlo, CpuWithTiles()))),
        strict_(Halide::get_host_target().natural_vector_size(Halide::UInt(8)) * 8) {
    const auto candidates = schedules::CandidateSchedules(kernel_, line);
    if (!candidates.ok())
      throw std::runtime_error(absl::StrCat(hlo, ": ", candidates.status().message()));
    schedule_ = candidates->front().ToString();
    schedules::ApplySchedule(kernel_, candidates->front());
    pipeline_ = Halide::Pipeline(kernel_.output);
    lowering::KeepLoopsWhole(pipeline_);
    for (IRMutator* pass :
         std::vector<IRMutator*>{&marks_, &pairs_, &pack_, &tiles_, &emulate_, &strict_})
      pipeline_.add_custom_lowering_pass(pass, nullptr);
    pipeline_.set_jit_externs(EmulatedTiles());
    pipeline_.compile_jit(Halide::get_host_target());
  }
  EmulatedKernel(const EmulatedKernel&) = delete;

  const std::string& schedule() const { return schedule_; }
  int products() const { return emulate_.products(); }

  // Computes kernels with one output.
  Literal Run(std::vector<Literal> inputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      kernel_.inputs[i].set(View(&inputs[i], kernel_.inputs[i].type()));
    Literal result(kernel_.module->entry()->root()->shape);
    pipeline_.realize(Halide::Realization({View(&result, kernel_.output.type())}),
                      Halide::get_host_target());
    return result;
  }

 private:
  using IRMutator = Halide::Internal::IRMutator;

  lowering::TargetScope scope_;
  lowering::LoweredKernel kernel_;
  std::string schedule_;
  lowering::DropMarks marks_;
  lowering::VectorPairs pairs_;
  lowering::PackWords pack_;
  lowering::TileProducts tiles_;
  EmulateTiles emulate_;
  lowering::StrictCode strict_;
  Halide::Pipeline pipeline_;
};

absl::string_view BytesOf(const Literal& literal) {
  return {reinterpret_cast<const char*>(literal.bytes().data()), literal.bytes().size()};
}

// Elements of all values that bytes have.
std::vector<Literal> WideBytes(std::vector<Literal> inputs) {
  uint32_t state = 12345;
  for (Literal& input : inputs) {
    if (hlo::IsFloat(input.shape().element_type()) ||
        hlo::BitWidth(input.shape().element_type()) != 8) {
      continue;
    }
    for (std::byte& byte : input.mutable_bytes()) {
      state = state * 1664525 + 1013904223;
      byte = std::byte(state >> 24);
    }
  }
  return inputs;
}

// Compares as the tuner does (CheckReply in kernel_harness.cc).
void CheckKinds(EmulatedKernel& kernel, const hlo::Module& module, const std::string& name) {
  for (const autotuner::InputKind kind :
       {autotuner::InputKind::kWhole, autotuner::InputKind::kSpecial}) {
    const autotuner::Specials specials = autotuner::SpecialsFor(module, CpuWithTiles());
    const std::vector<Literal> inputs = autotuner::MadeUpInputs(module, kind, specials);
    hlo::Evaluator evaluator;
    evaluator.multiply_padding = false;
    const auto want = evaluator.Run(module, inputs);
    ASSERT_TRUE(want.ok()) << want.status();
    const Literal got = kernel.Run(inputs);
    std::vector<autotuner::OutputRule> rules = autotuner::RulesOf(module, kind, specials);
    rules[0].scale = autotuner::LargestOf(BytesOf(*want), rules[0].type);
    double difference = 0;
    EXPECT_EQ(autotuner::CompareOutput(BytesOf(got), BytesOf(*want), rules[0], &difference), "")
        << name << " " << kernel.schedule();
  }
}

void Check(const TileCase& c, const std::string& line) {
  EmulatedKernel kernel(c.hlo, line);
  EXPECT_THAT(kernel.schedule(), HasSubstr("words=2")) << c.name;
  EXPECT_GT(kernel.products(), 0) << c.name;
  const auto module = hlo_text::ParseModule(c.hlo, "kernel.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::vector<Literal> inputs = WideBytes(RandomInputs(**module, 7));
  const auto want = hlo::Evaluator().Run(**module, inputs);
  ASSERT_TRUE(want.ok()) << want.status();
  const auto difference = hlo::Compare(kernel.Run(inputs), *want, c.tolerance, c.tolerance);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->within) << c.name << ": " << difference->count << " elements differ; at "
                                  << difference->index << " got " << difference->got << ", want "
                                  << difference->want << " " << kernel.schedule();
  CheckKinds(kernel, **module, c.name);
}

TEST(TileProducts, AgreeWithEvaluator) {
  for (const TileCase& c : TileCases()) Check(c, "");
}

// Single tiles, rows of tiles, tiles with few rows, and other orders of loops.
TEST(TileProducts, AgreeWithEvaluatorInOtherSchedules) {
  for (const TileCase& c : TileCases()) Check(c, absl::StrCat("contraction words=2 ", c.other));
}

// Every remainder of rows, columns and words; more of them with $HALYARD_ALL_CASES.
TEST(TileProducts, AgreeWithEvaluatorAtMadeUpSizes) {
  std::mt19937 random(20);
  const auto within = [&random](int64_t least, int64_t most) {
    return least + static_cast<int64_t>(random() % static_cast<uint32_t>(most - least + 1));
  };
  for (int i = 0; i < (AllCases() ? 80 : 6); ++i) {
    const int64_t m = within(16, 70), n = within(16, 100), k = within(64, 300);
    const bool bf16 = i % 2 == 1;
    const std::string factor = bf16 ? "bf16[" : i % 4 == 0 ? "s8[" : "u8[";
    const TileCase c = {
        "made up",
        Dot(absl::StrCat(factor, m, ",", k, "]"), absl::StrCat(factor, k, ",", n, "]"),
            absl::StrCat(bf16 ? "f32[" : "s32[", m, ",", n, "]")),
        "", "", bf16 ? 1e-3 : 0};
    SCOPED_TRACE(c.hlo);
    Check(c, "");
  }
}

// Sums that leave 32 bits wrap.
TEST(TileProducts, SumsWrap) {
  const int64_t m = 16, k = 140032, n = 16;
  EmulatedKernel kernel(
      Dot(absl::StrCat("s8[", m, ",", k, "]"), absl::StrCat("s8[", k, ",", n, "]"),
          absl::StrCat("s32[", m, ",", n, "]")),
      "");
  EXPECT_GT(kernel.products(), 0);
  const auto module = hlo_text::ParseModule(
      Dot(absl::StrCat("s8[", m, ",", k, "]"), absl::StrCat("s8[", k, ",", n, "]"),
          absl::StrCat("s32[", m, ",", n, "]")),
      "kernel.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<Literal> inputs;
  for (const hlo::Instruction* parameter : (*module)->entry()->parameters()) {
    inputs.emplace_back(parameter->shape);
    for (std::byte& byte : inputs.back().mutable_bytes()) byte = std::byte{0x80};
  }
  const Literal got = kernel.Run(inputs);
  const int32_t expected = static_cast<int32_t>(static_cast<uint32_t>(k * 128 * 128));
  for (int64_t i = 0; i < m * n; ++i) EXPECT_EQ(got.GetAsDouble(i), static_cast<double>(expected));
}

// The knob's third value is there for the tuner where the device has AMX and the factors fit it.
TEST(TileProducts, AreInTheSearchSpaceOfDevicesThatHaveThem) {
  const auto space = [](const std::string& hlo, uint64_t features) {
    const lowering::TargetScope scope(lowering::HalideTarget(CpuWith(features)));
    return schedules::SpaceText(
        schedules::SpaceOf(lowering::LowerKernel(RequestOf(hlo, CpuWith(features)))));
  };
  const std::string bytes = Dot("s8[40,64]", "s8[64,48]", "s32[40,48]");
  const std::string halves = Dot("s16[40,64]", "s16[64,48]", "s32[40,48]");
  const uint64_t with = kWithoutTiles | runtime::kX86Amx;
  EXPECT_THAT(space(bytes, with), HasSubstr("knob words 0 1 2\n"));
  EXPECT_THAT(space(bytes, kWithoutTiles), HasSubstr("knob words 0 1\n"));
  EXPECT_THAT(space(halves, with), HasSubstr("knob words 0 1\n"));
}

}  // namespace
}  // namespace halyard::testing
