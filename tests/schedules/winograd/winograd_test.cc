// Tests convolutions by the template winograd, against the evaluator: sizes, layouts, paddings,
// what is fused, the knobs, what it guarantees for special values, and which kernels have it in
// their space.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "codegen/service/kernel_compiler.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "schedules/space_text.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/worst_error.h"

namespace halyard::testing {
namespace {

struct Convolution {
  std::string input = "2,9,7,20", window = "3,3,20,24", result = "2,9,7,24";
  std::string attributes = "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f";
};

std::string Text(const Convolution& c) {
  return absl::StrCat("HloModule m\nENTRY e { a = f32[", c.input, "] parameter(0) w = f32[",
                      c.window, "] parameter(1) ROOT r = f32[", c.result, "] convolution(a, w), ",
                      c.attributes, " }");
}

struct Case {
  const char* name;
  std::string hlo;
};

// A bias, a rectifier and a residual after the convolution.
const char kEpilogue[] = R"(HloModule m
ENTRY e {
  a = f32[1,10,10,16] parameter(0)
  w = f32[3,3,16,32] parameter(1)
  bias = f32[32] parameter(2)
  rest = f32[1,10,10,32] parameter(3)
  zero = f32[] constant(0)
  c = f32[1,10,10,32] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  biases = f32[1,10,10,32] broadcast(bias), dimensions={3}
  sum = f32[1,10,10,32] add(c, biases)
  zeros = f32[1,10,10,32] broadcast(zero), dimensions={}
  positive = f32[1,10,10,32] maximum(sum, zeros)
  ROOT r = f32[1,10,10,32] add(positive, rest)
})";

// A rectifier that asks whether the result is positive. NaN is not.
const char kChosen[] = R"(HloModule m
ENTRY e {
  a = f32[1,16,16,8] parameter(0)
  w = f32[3,3,8,16] parameter(1)
  zero = f32[] constant(0)
  c = f32[1,16,16,16] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  zeros = f32[1,16,16,16] broadcast(zero), dimensions={}
  positive = pred[1,16,16,16] compare(c, zeros), direction=GT
  ROOT r = f32[1,16,16,16] select(positive, c, zeros)
})";

// Input and window behind conversions and a transpose.
const char kPrologue[] = R"(HloModule m
ENTRY e {
  a = f16[1,16,8,8] parameter(0)
  w = bf16[3,3,16,32] parameter(1)
  wide = f32[1,16,8,8] convert(a)
  last = f32[1,8,8,16] transpose(wide), dimensions={0,2,3,1}
  window = f32[3,3,16,32] convert(w)
  ROOT r = f32[1,8,8,32] convolution(last, window), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
})";

std::vector<Case> Cases() {
  return {
      {"Odd", Text({})},
      {"Even", Text({"1,8,8,16", "3,3,16,32", "1,8,8,32"})},
      {"OnePixel", Text({"1,1,1,16", "3,3,16,16", "1,1,1,16"})},
      {"ThreeChannels", Text({"1,12,11,3", "3,3,3,8", "1,12,11,8"})},
      {"OneChannelAndFeature", Text({"1,6,6,1", "3,3,1,1", "1,6,6,1"})},
      {"ManyImages", Text({"7,4,4,16", "3,3,16,16", "7,4,4,16"})},
      {"NoPadding",
       Text({"1,9,9,8", "3,3,8,16", "1,7,7,16", "window={size=3x3}, dim_labels=b01f_01io->b01f"})},
      {"MuchPadding", Text({"1,5,4,8", "3,3,8,16", "1,10,7,16",
                            "window={size=3x3 pad=3_4x0_5}, dim_labels=b01f_01io->b01f"})},
      {"Cropped", Text({"1,12,12,8", "3,3,8,16", "1,8,12,16",
                        "window={size=3x3 pad=-1_-1x-1_3}, dim_labels=b01f_01io->b01f"})},
      {"Reversed", Text({"1,9,9,8", "3,3,8,16", "1,9,9,16",
                         "window={size=3x3 pad=1_1x1_1 rhs_reversal=1x0}, "
                         "dim_labels=b01f_01io->b01f"})},
      {"ChannelsFirst", Text({"2,5,9,10", "18,5,3,3", "2,18,9,10",
                              "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"})},
      {"ImagesLast", Text({"9,8,5,2", "3,5,18,3", "18,8,9,2",
                           "window={size=3x3 pad=1_1x1_1}, dim_labels=01fb_0io1->f10b"})},
      {"OneDimension",
       Text({"3,37,20", "3,20,24", "3,37,24", "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f"})},
      {"Epilogue", kEpilogue},
      {"Chosen", kChosen},
      {"Prologue", kPrologue},
  };
}

class WinogradKernels : public ::testing::TestWithParam<Case> {};

TEST_P(WinogradKernels, AgreeWithTheEvaluator) {
  for (const char* line : {"winograd outputs=2", "winograd outputs=4"})
    EXPECT_EQ(CheckKernel(GetParam().hlo, "x86", 1e-4, line), "") << line;
}

// On GPUs, also runs in the fake driver's interpreter.
void CheckOnGpu(const std::string& hlo, const std::string& device, const std::string& line) {
  EXPECT_EQ(CheckKernel(hlo, device, 1e-4, line), "") << line;
}

TEST_P(WinogradKernels, AgreeWithTheEvaluatorOnVulkan) {
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan device here";
  CheckOnGpu(GetParam().hlo, "vulkan", "winograd outputs=4");
}

TEST_P(WinogradKernels, AgreeWithTheEvaluatorOnCuda) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA device here, nor a fake one";
  CheckOnGpu(GetParam().hlo, "cuda", "winograd outputs=4");
}

INSTANTIATE_TEST_SUITE_P(All, WinogradKernels, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// Register tiles and blocks that do not divide the extents; blocks of parts of rows, of rows and of
// images.
TEST(WinogradKnobs, AgreeWithTheEvaluator) {
  for (const char* line :
       {"winograd outputs=2 tile_n=8 tile_m=3 block_m=2 block_n=16 share=0",
        "winograd outputs=2 tile_n=16 tile_m=5 block_m=8 block_n=24 share=1 unroll_k=2",
        "winograd outputs=4 tile_n=4 tile_m=7 block_m=32 block_n=16 share=1",
        "winograd outputs=4 tile_n=2 tile_m=1 block_m=1 block_n=24 share=2 unroll_k=4",
        "winograd outputs=4 tile_n=16 tile_m=4 block_m=4 block_n=16 share=2",
        "winograd outputs=4 tile_n=16 tile_m=2 block_m=16 block_n=16 share=0"}) {
    EXPECT_EQ(CheckKernel(Text({}), "x86", 1e-4, line), "") << line;
  }
  // Sums of blocks of channels.
  const std::string many = Text({"2,9,7,48", "3,3,48,24", "2,9,7,24"});
  for (const char* line :
       {"winograd outputs=2 tile_n=8 tile_m=5 block_m=8 block_n=16 step_k=16 share=0",
        "winograd outputs=4 tile_n=16 tile_m=3 block_m=4 block_n=16 step_k=8 unroll_k=4 share=1",
        "winograd outputs=4 tile_n=8 tile_m=4 block_m=20 block_n=24 step_k=16 share=2"}) {
    EXPECT_EQ(CheckKernel(many, "x86", 1e-4, line), "") << line;
  }
  for (const char* device : {"x86:v2", "x86:v3"}) {
    if (DeviceNamed(device) == nullptr) continue;
    EXPECT_EQ(CheckKernel(Text({}), device, 1e-4, "winograd"), "") << device;
  }
}

const char* const kGpuLines[] = {
    "winograd outputs=2 tile_n=2 tile_m=3 group_n=4 group_m=2",
    "winograd outputs=4 tile_n=4 tile_m=1 group_n=2 group_m=8 step_k=0 unroll_k=4",
    "winograd outputs=4 tile_n=4 tile_m=4 group_n=4 group_m=4 step_k=4",
    "winograd outputs=2 tile_n=1 tile_m=8 group_n=32 group_m=1 unroll_k=2"};

TEST(WinogradKnobs, AgreeWithTheEvaluatorOnVulkan) {
  if (DeviceNamed("vulkan") == nullptr) GTEST_SKIP() << "no Vulkan device here";
  for (const char* line : kGpuLines) CheckOnGpu(Text({}), "vulkan", line);
}

TEST(WinogradKnobs, AgreeWithTheEvaluatorOnCuda) {
  if (DeviceNamed("cuda") == nullptr) GTEST_SKIP() << "no CUDA device here, nor a fake one";
  for (const char* line : kGpuLines) CheckOnGpu(Text({}), "cuda", line);
}

struct Results {
  hlo::Literal want, got;
};

// Runs once with each input as `edit` leaves it.
Results RunOnce(const std::string& text, const std::string& line,
                const std::function<void(std::vector<hlo::Literal>*)>& edit) {
  Results run;
  auto module = hlo_text::ParseModule(text, "kernel.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  std::vector<hlo::Literal> inputs = RandomInputs(**module, 5);
  edit(&inputs);
  hlo::Evaluator evaluator;
  auto want = evaluator.Run(**module, inputs);
  EXPECT_TRUE(want.ok()) << want.status();
  run.want = *want;
  const auto reply = CompileHlo(text, InfoNamed("x86"), line);
  EXPECT_TRUE(reply.ok()) << reply.status();
  if (!reply.ok()) return run;
  auto got = RunKernel(*reply, *DeviceNamed("x86"), **module, inputs);
  EXPECT_TRUE(got.ok()) << got.status();
  run.got = (*got)[0];
  auto again = RunKernel(*reply, *DeviceNamed("x86"), **module, inputs);
  EXPECT_TRUE(again.ok() && (*again)[0].BitwiseEqual(run.got)) << "not the same bits";
  return run;
}

constexpr int64_t kSize = 11, kFeatures = 16;
std::string SquareText(int64_t channels) {
  return Text({absl::StrCat("1,", kSize, ",", kSize, ",", channels),
               absl::StrCat("3,3,", channels, ",", kFeatures),
               absl::StrCat("1,", kSize, ",", kSize, ",", kFeatures)});
}

// With tiles of two outputs, an output depends on its own window only. With tiles of four, it
// depends on the inputs of its tile.
TEST(WinogradSpecials, HarmNoOutputOfOtherWindows) {
  const double inf = std::numeric_limits<double>::infinity();
  const int64_t row = 3, column = 6;
  for (const double special : {inf, -inf, std::nan(""), 3e38}) {
    for (const int64_t outputs : {2, 4}) {
      const Results run = RunOnce(SquareText(8), absl::StrCat("winograd outputs=", outputs),
                                  [&](std::vector<hlo::Literal>* inputs) {
                                    (*inputs)[0].SetFloat((row * kSize + column) * 8 + 3, special);
                                  });
      int64_t harmed = 0;
      for (int64_t i = 0; i < run.want.shape().NumElements(); ++i) {
        const int64_t y = i / kFeatures / kSize, x = i / kFeatures % kSize;
        const double want = run.want.GetAsDouble(i), got = run.got.GetAsDouble(i);
        // A tile's inputs begin one before its first output.
        auto of_tile = [outputs](int64_t at, int64_t place) {
          const int64_t first = at / outputs * outputs;
          return place >= first - 1 && place <= first + outputs;
        };
        const bool of_window = std::abs(y - row) <= 1 && std::abs(x - column) <= 1;
        if (outputs == 4 ? of_tile(y, row) && of_tile(x, column) : of_window) {
          harmed += std::isfinite(got) ? 0 : 1;
          // A value that is not finite must not become finite.
          EXPECT_TRUE(std::isfinite(want) || !std::isfinite(got)) << y << "," << x;
        } else {
          EXPECT_NEAR(got, want, 1e-4) << special << " outputs=" << outputs << " " << y << "," << x;
        }
      }
      EXPECT_TRUE(std::isfinite(special) || harmed >= 9 * kFeatures) << harmed;
    }
  }
}

// The tuner's tolerance for f32 (autotuner/rules/rounding_rules.h): 64 + 8·√n units of 2^-23 of the
// largest result. With 128 channels; a quarter of it is enough.
TEST(WinogradErrors, AreFarBelowTheTunersTolerance) {
  const double terms = 9 * 128, units = 64 + 8 * std::sqrt(terms);
  for (const char* line : {"winograd outputs=2", "winograd outputs=4"}) {
    const Results run = RunOnce(SquareText(128), line, [](std::vector<hlo::Literal>*) {});
    double error = 0, largest = 0;
    for (int64_t i = 0; i < run.want.shape().NumElements(); ++i) {
      const double want = run.want.GetAsDouble(i);
      largest = std::max(largest, std::abs(want));
      error = Worse(error, std::abs(run.got.GetAsDouble(i) - want));
    }
    EXPECT_GT(largest, 1) << line;
    EXPECT_LT(error, largest * units * 0x1p-23 / 4) << line;
  }
}

std::vector<schedules::TemplateSpace> SpaceOf(const std::string& hlo,
                                              const runtime::DeviceInfo& device) {
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = device;
  request.describe = true;
  lowering::KernelCompilerOptions options;
  options.codegen_path = std::string(HALYARD_BIN_DIR) + "/halyard-codegen";
  static auto* compiler = lowering::KernelCompiler::Create(options).release();
  const auto reply = compiler->Compile({request})[0];
  EXPECT_TRUE(reply.ok()) << reply.status();
  if (!reply.ok()) return {};
  const auto space = schedules::ParseSpace(reply->space);
  EXPECT_TRUE(space.ok()) << space.status();
  return space.ok() ? *space : std::vector<schedules::TemplateSpace>();
}

bool Has(const std::vector<schedules::TemplateSpace>& space) {
  for (const schedules::TemplateSpace& one : space) {
    if (one.name == "winograd") return true;
  }
  return false;
}

TEST(WinogradSpaces, AreOfDefaultPrecisionAndNoDefaults) {
  const runtime::DeviceInfo x86 = InfoNamed("x86");
  const auto space = SpaceOf(Text({}), x86);
  ASSERT_TRUE(Has(space));
  EXPECT_EQ(space.front().name, "contraction");
  const auto reply = CompileHlo(Text({}), x86);
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(reply->schedule, ::testing::StartsWith("contraction "));
  for (const auto& [precision, offered] :
       {std::pair("default,default", true), {"highest,highest", false}, {"default,high", false}}) {
    Convolution c;
    absl::StrAppend(&c.attributes, ", operand_precision={", precision, "}");
    EXPECT_EQ(Has(SpaceOf(Text(c), x86)), offered) << precision;
  }
}

TEST(WinogradSpaces, LeaveOthersOut) {
  const runtime::DeviceInfo x86 = InfoNamed("x86");
  const std::string labels = ", dim_labels=b01f_01io->b01f";
  const std::string plain = Text({});
  for (const std::string& hlo :
       {Text({"2,9,7,20", "3,3,20,24", "2,5,4,24",
              "window={size=3x3 stride=2x2 pad=1_1x1_1}" + labels}),
        Text({"2,9,7,20", "3,3,20,24", "2,9,7,24",
              "window={size=3x3 pad=2_2x2_2 rhs_dilate=2x2}" + labels}),
        Text({"2,9,7,20", "3,3,20,24", "2,17,13,24",
              "window={size=3x3 pad=1_1x1_1 lhs_dilate=2x2}" + labels}),
        Text({"2,9,7,20", "3,3,10,24", "2,9,7,24",
              "window={size=3x3 pad=1_1x1_1}, feature_group_count=2" + labels}),
        Text({"2,9,7,20", "3,3,20,24", "1,9,7,24",
              "window={size=3x3 pad=1_1x1_1}, batch_group_count=2" + labels}),
        Text({"2,9,7,20", "5,5,20,24", "2,9,7,24", "window={size=5x5 pad=2_2x2_2}" + labels}),
        Text({"2,9,7,20", "1,3,20,24", "2,9,7,24", "window={size=1x3 pad=0_0x1_1}" + labels}),
        absl::StrReplaceAll(plain, {{"f32[", "f64["}}),
        absl::StrReplaceAll(plain, {{"f32[", "bf16["}}),
        absl::StrReplaceAll(plain, {{"f32[", "s32["}})}) {
    EXPECT_FALSE(Has(SpaceOf(hlo, x86))) << hlo;
  }
}

// What is transformed before the tasks is limited to 256 MiB.
TEST(WinogradSpaces, ShareWhatHasRoom) {
  auto square = [](int64_t images, int64_t size, int64_t channels) {
    const std::string image = absl::StrCat(images, ",", size, ",", size, ",", channels);
    return Text({image, absl::StrCat("3,3,", channels, ",", channels), image});
  };
  for (const auto& [hlo, shares] : {std::pair(square(1, 28, 64), std::vector<int64_t>{0, 1, 2}),
                                    {square(8, 224, 64), {1}},
                                    {square(1, 7, 2048), {2}}}) {
    bool found = false;
    for (const schedules::TemplateSpace& one : SpaceOf(hlo, InfoNamed("x86"))) {
      if (one.name != "winograd") continue;
      EXPECT_EQ(one.defaults.knobs().size(), one.knobs.size());
      for (const schedules::Knob& knob : one.knobs) {
        EXPECT_THAT(knob.choices, ::testing::Contains(one.defaults.Get(knob.name))) << knob.name;
        if (knob.name != "share") continue;
        found = true;
        EXPECT_EQ(knob.choices, shares) << hlo;
      }
    }
    EXPECT_TRUE(found) << hlo;
  }
  EXPECT_FALSE(Has(SpaceOf(square(8, 112, 2048), InfoNamed("x86"))));
}

}  // namespace
}  // namespace halyard::testing
