// Tests reductions whose last workgroup joins what the others have found. The fake driver's
// interpreter runs their PTX, starts the groups in several orders, and knows what fences order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "frontend/hlo_text/parser.h"
#include "runtime/kernel_object.h"
#include "tests/fakes/ptx/run.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

runtime::KernelObjectView ViewOf(const lowering::KernelReply& reply) {
  runtime::KernelObjectView view;
  const runtime::Status status = runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(reply.object.data()), reply.object.size()}, &view);
  EXPECT_TRUE(status.ok()) << status.message();
  return view;
}

// A reduction of type $0 by `op`, from $1 to $2 elements along dimensions $3.
std::string Reduce(const std::string& type, const std::string& from, const std::string& to,
                   const std::string& dimensions, const std::string& op = "add",
                   const std::string& init = "0") {
  return absl::Substitute(
      "HloModule m\nf { x = $0[] parameter(0) y = $0[] parameter(1) ROOT s = $0[] $4(x, y) }\n"
      "ENTRY e { a = $0[$1] parameter(0) z = $0[] constant($5) ROOT r = $0[$2] reduce(a, z), "
      "dimensions={$3}, to_apply=f }\n",
      type, from, to, dimensions, op, init);
}

class LastGroupTest : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_PTXAS", "", 1);  // kernels stay text
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  // Random values, of floats also infinities, NaNs and negative zeros.
  static std::vector<hlo::Literal> Inputs(const hlo::Module& module, bool special) {
    std::vector<hlo::Literal> inputs = RandomInputs(module, 11);
    for (hlo::Literal& input : inputs) {
      const absl::Span<std::byte> bytes = input.mutable_bytes();
      if (!special || input.shape().element_type() != hlo::ElementType::kF32) continue;
      const float values[] = {std::numeric_limits<float>::infinity(), -0.0f,
                              std::numeric_limits<float>::quiet_NaN(), -0.0f};
      for (size_t i = 0; i < bytes.size() / 4; i += 97)
        std::memcpy(&bytes[i * 4], &values[i / 97 % 4], sizeof(float));
    }
    return inputs;
  }

  // Compares results of both ways, bit by bit, for several orders of groups.
  void Check(const std::string& hlo, const std::string& knobs, double tolerance = 1e-2,
             std::vector<std::pair<int32_t, int32_t>> aliases = {}) {
    SCOPED_TRACE(absl::StrCat(knobs, "\n", hlo));
    const auto module = hlo_text::ParseModule(hlo, "test");
    ASSERT_TRUE(module.ok()) << module.status();
    const auto compile = [&](int finish) {
      return CompileHlo(hlo, device_->info(), absl::StrCat("reduction ", knobs, " finish=", finish),
                        aliases);
    };
    const auto two = compile(0), one = compile(1);
    ASSERT_TRUE(two.ok() && one.ok()) << two.status() << one.status();
    const runtime::KernelObjectView view = ViewOf(*one);
    EXPECT_EQ(view.num_launches + 1, ViewOf(*two).num_launches);
    EXPECT_EQ(ViewOf(*two).counter_bytes, 0u);
    EXPECT_GT(view.counter_bytes, 0u);
    EXPECT_LE(view.counter_bytes, view.scratch_bytes);
    EXPECT_EQ(CheckReply(*one, hlo, *device_, tolerance, aliases), "");
    for (const bool special : {false, true}) {
      const std::vector<hlo::Literal> inputs = Inputs(**module, special);
      fake_->block_order = 0;
      const auto want = RunKernel(*two, *device_, **module, inputs, aliases);
      ASSERT_TRUE(want.ok()) << want.status();
      for (uint32_t order : {0, 1, 7, 12345}) {
        fake_->block_order = order;
        const auto got = RunKernel(*one, *device_, **module, inputs, aliases);
        ASSERT_TRUE(got.ok()) << got.status();
        ASSERT_EQ(got->size(), want->size());
        for (size_t i = 0; i < got->size(); ++i)
          EXPECT_TRUE((*got)[i].bytes() == (*want)[i].bytes()) << "order " << order;
      }
    }
  }

  // The number of launches of the default schedule for a large GPU.
  uint32_t Launches(const std::string& hlo) {
    runtime::DeviceInfo info = device_->info();
    info.compute_units = 132;
    info.unit_threads = 2048;
    const auto reply = CompileHlo(hlo, info);
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? ViewOf(*reply).num_launches : 0;
  }
};

TEST_F(LastGroupTest, EveryType) {
  for (const char* type : {"f64", "f16", "bf16", "s8", "u16", "u64"}) {
    Check(Reduce(type, "300,100", "100", "0"), "lanes=4 width=2 rows=32 parts=4", 0.5);
  }
  // Sums of these are rough.
  Check(Reduce("f8e4m3fn", "300,100", "100", "0"), "lanes=4 width=2 rows=32 parts=4", 8);
  Check(Reduce("c64", "4000", "", "0", "add", "(0, 0)"), "lanes=32 width=1 rows=1 parts=8");
  Check(Reduce("pred", "300,100", "100", "0", "or", "false"), "lanes=4 width=2 rows=32 parts=4");
  Check(Reduce("f32", "300,100", "100", "0", "maximum", "-inf"), "lanes=4 width=2 rows=32 parts=4");
}

TEST_F(LastGroupTest, Shapes) {
  const std::string columns = Reduce("f32", "300,100", "100", "0");  // the last strip is not full
  for (const char* knobs :
       {"lanes=8 width=4 rows=32 parts=8", "lanes=1 width=4 rows=32 parts=8",
        "lanes=2 width=1 rows=16 parts=64", "lanes=16 width=4 rows=1 parts=4"}) {
    Check(columns, knobs);
  }
  Check(Reduce("f32", "256,64", "64", "0"), "lanes=8 width=4 rows=32 parts=8");
  const std::string rows = Reduce("f32", "6,5000", "6", "1");
  for (const char* knobs : {"lanes=32 width=4 rows=4 parts=4", "lanes=64 width=1 rows=1 parts=16"})
    Check(rows, knobs);
  const std::string all = Reduce("f32", "70,100", "", "0,1");
  for (const char* knobs : {"lanes=64 width=4 rows=1 parts=16", "lanes=2 width=1 rows=1 parts=512"})
    Check(all, knobs);
  Check(Reduce("f32", "200,5,70", "5,70", "0"), "lanes=4 width=1 rows=32 parts=8");
  Check(Reduce("f32", "7,200,70", "7,70", "1"), "lanes=4 width=1 rows=16 parts=4");
}

// What comes before and behind the fold.
TEST_F(LastGroupTest, FusedKernels) {
  const std::string add =
      "HloModule m\nf { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n";
  Check(add +
            "ENTRY e { a = bf16[300,100] parameter(0) b = f32[100] parameter(1) w = f32[300,100] "
            "convert(a) q = f32[300,100] multiply(w, w) z = f32[] constant(1) r = f32[100] "
            "reduce(q, z), dimensions={0}, to_apply=f n = f32[100] divide(r, b) ROOT o = f32[100] "
            "sqrt(n) }",
        "lanes=4 width=2 rows=32 parts=4");
  // Two results.
  Check(add +
            "ENTRY e { a = f32[300,100] parameter(0) b = f32[100] parameter(1) z = f32[] "
            "constant(0) r = f32[100] reduce(a, z), dimensions={0}, to_apply=f n = f32[100] "
            "multiply(r, b) ROOT t = (f32[100], f32[100]) tuple(r, n) }",
        "lanes=4 width=2 rows=32 parts=4");
  // Another launch reads the results: an output needs several of them.
  Check(add +
            "ENTRY e { a = f32[300,100] parameter(0) z = f32[] constant(0) r = f32[100] reduce(a, "
            "z), dimensions={0}, to_apply=f ROOT o = f32[100] reverse(r), dimensions={0} }",
        "lanes=8 width=2 rows=1 parts=4");
  // The result takes the place of what it is added to.
  Check(add +
            "ENTRY e { a = f32[300,96] parameter(0) b = f32[96] parameter(1) z = f32[] constant(0) "
            "r = f32[96] reduce(a, z), dimensions={0}, to_apply=f ROOT o = f32[96] add(r, b) }",
        "lanes=4 width=2 rows=32 parts=4", 1e-2, {{0, 1}});
}

// Results that an element of another array may make needless.
TEST_F(LastGroupTest, ConditionsOnElements) {
  for (const char* use :
       {"ROOT s = f32[] select(p, r, n)", "c = f32[] cosine(r) ROOT s = f32[] select(p, n, c)"}) {
    Check(absl::StrCat("HloModule m\nf { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = "
                       "f32[] add(x, y) }\nENTRY e { a = f32[7000] parameter(0) n = f32[] "
                       "parameter(1) p = pred[] parameter(2) z = f32[] constant(0) r = f32[] "
                       "reduce(a, z), dimensions={0}, to_apply=f ",
                       use, " }"),
          "lanes=64 width=4 rows=1 parts=16");
  }
}

TEST_F(LastGroupTest, LargeReductionsAreOneLaunch) {
  EXPECT_EQ(Launches(Reduce("f32", "8192,8192", "8192", "0")), 1u);
  EXPECT_EQ(Launches(Reduce("bf16", "8192,8192", "8192", "0")), 1u);
  EXPECT_EQ(Launches(Reduce("f32", "8192,8192", "", "0,1")), 1u);
  EXPECT_EQ(Launches(Reduce("f32", "4,1000000", "4", "1")), 1u);
  EXPECT_EQ(Launches(Reduce("f32", "100003,7", "7", "0")), 1u);
  // Lines of schedules that name no `finish` have the default.
  const auto line = CompileHlo(Reduce("f32", "300,100", "100", "0"), device_->info(),
                               "reduction lanes=4 parts=4");
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->schedule, HasSubstr("finish=1"));
  // A thread of the last group would read 1024 / 8 parts.
  EXPECT_EQ(Launches(Reduce("f32", "300000,32", "32", "0")), 2u);
}

// The knob is there only where it means something.
TEST_F(LastGroupTest, OldDevicesHaveTwoLaunches) {
  runtime::DeviceInfo info = device_->info();
  info.cuda_capability = 60;
  const std::string hlo = Reduce("f32", "300,100", "100", "0");
  const auto old = CompileHlo(hlo, info, "reduction lanes=4 parts=4");
  ASSERT_TRUE(old.ok()) << old.status();
  EXPECT_EQ(ViewOf(*old).num_launches, 2u);
  EXPECT_THAT(old->schedule, Not(HasSubstr("finish")));
  EXPECT_THAT(CompileHlo(hlo, info, "reduction lanes=4 parts=4 finish=1").status().message(),
              HasSubstr("has no knob finish"));
}

// One kernel's text, which is run in this process, again and again.
class Faults : public LastGroupTest {
 protected:
  void Compile() {
    const auto reply = CompileHlo(Reduce("u32", "64,64", "64", "0"), device_->info(),
                                  "reduction lanes=4 width=1 rows=32 parts=4 finish=1");
    ASSERT_TRUE(reply.ok()) << reply.status();
    object_ = reply->object;
    const runtime::KernelObjectView view = ViewOf(*reply);
    ASSERT_EQ(view.num_launches, 1u);
    launch_ = view.launch(0);
    entry_ = launch_.entry.data;
    text_ = std::string(reinterpret_cast<const char*>(view.module(0).data), view.module(0).size);
    scratch_.assign(view.scratch_bytes, 0x5a);
    std::fill_n(scratch_.begin(), view.counter_bytes, 0);
    for (uint32_t i = 0; i < 64 * 64; ++i) in_.push_back(i * 2654435761u);
  }

  // Returns what the interpreter says, or how the result is wrong.
  std::string Run(const std::string& text, uint32_t order) {
    std::string message;
    const std::unique_ptr<ptx::Module> module = ptx::ParseModule(text, &message);
    if (module == nullptr) return message;
    std::vector<uint32_t> out(64);
    ptx::Launch launch;
    std::memcpy(launch.grid, launch_.grid, sizeof(launch.grid));
    std::memcpy(launch.block, launch_.block, sizeof(launch.block));
    launch.shared_bytes = launch_.shared_bytes;
    launch.parameters.resize(module->functions.at(entry_).parameter_bytes);
    for (uint32_t i = 0; i < launch_.num_arguments; ++i) {
      const runtime::LaunchArgument& argument = launch_.arguments[i];
      uint64_t value = argument.scalar_bits;
      if (argument.kind == runtime::LaunchArgument::Kind::kScratch)
        value = reinterpret_cast<uint64_t>(scratch_.data()) + argument.offset;
      if (argument.kind == runtime::LaunchArgument::Kind::kBuffer)
        value = reinterpret_cast<uint64_t>(argument.index == 0 ? in_.data() : out.data());
      const auto& parameter = module->functions.at(entry_).parameters[i];
      std::memcpy(launch.parameters.data() + parameter.offset, &value, parameter.bytes);
    }
    ptx::RunOptions options;
    options.max_steps = uint64_t{1} << 22;
    options.block_order = order;
    const auto at = [](const auto& array) { return reinterpret_cast<uint64_t>(array.data()); };
    ptx::RunGrid(*module, module->functions.at(entry_), launch,
                 {{at(scratch_), scratch_.size()}, {at(in_), in_.size() * 4}, {at(out), 256}},
                 options, &message);
    for (uint32_t c = 0; c < 64 && message.empty(); ++c) {
      uint32_t want = 0;
      for (uint32_t r = 0; r < 64; ++r) want += in_[r * 64 + c];
      if (out[c] != want) message = "wrong result";
    }
    return message;
  }

  std::string object_, entry_, text_;
  runtime::Launch launch_;
  std::vector<uint8_t> scratch_;
  std::vector<uint32_t> in_;
};

TEST_F(Faults, TheCounterIsRightForTheNextRun) {
  ASSERT_NO_FATAL_FAILURE(Compile());
  for (uint32_t order = 0; order < 10; ++order) EXPECT_EQ(Run(text_, order), "") << order;
}

TEST_F(Faults, AreCaught) {
  ASSERT_NO_FATAL_FAILURE(Compile());
  const std::string arrive = text_.substr(text_.find("fence.acq_rel.gpu"));
  const std::string before = text_.substr(0, text_.size() - arrive.size());
  const size_t first = arrive.find('\n'), second = arrive.find("fence.acq_rel.gpu", first);
  ASSERT_NE(second, std::string::npos);
  ASSERT_THAT(arrive.substr(0, second), HasSubstr("atom.relaxed.gpu.global.inc.u32"));
  const std::pair<const char*, std::string> faults[] = {
      {"no fence before the atomic", before + arrive.substr(first)},
      {"no fence behind it",
       before + arrive.substr(0, second) + arrive.substr(arrive.find('\n', second))},
      {"a fence of the group only", before + "fence.acq_rel.cta" + arrive.substr(17)},
      {"another group's counter", absl::StrReplaceAll(text_, {{"], 3;", "], 2;"}})},
      {"too many groups", absl::StrReplaceAll(text_, {{"], 3;", "], 4;"}})},
  };
  for (const auto& [what, text] : faults) {
    ASSERT_NE(text, text_) << what;
    const std::vector<uint8_t> scratch = scratch_;
    std::string caught;
    for (uint32_t order : {0, 1, 5}) {
      caught += Run(text, order);
      caught += Run(text, order);
    }
    EXPECT_NE(caught, "") << what;
    scratch_ = scratch;
  }
  // No barrier before the group is counted.
  const size_t barrier = before.rfind("bar.sync");
  ASSERT_NE(barrier, std::string::npos);
  EXPECT_NE(Run(before.substr(0, barrier) + before.substr(before.find('\n', barrier)) + arrive, 0),
            "");
}

}  // namespace
}  // namespace halyard::testing
