// A run must take as much memory as predicted, and a program that cannot fit must be refused before
// it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "client/devices/device_file.h"
#include "client/devices/target.h"
#include "client/reports/memory_report.h"
#include "tests/fakes/use_fake_cuda.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A loop that updates a large state row by row.
std::string UpdateLoop(int rows) {
  const std::string state = absl::StrCat("f32[", rows, ",1024]"),
                    tuple = absl::StrCat("(s32[], ", state, ")");
  return absl::StrCat(
      "HloModule update, input_output_alias={ {}: (0, {}, may-alias) }\n", "cond { s = ", tuple,
      " parameter(0) i = s32[] get-tuple-element(s), index=0\n",
      "  n = s32[] constant(7) ROOT c = pred[] compare(i, n), direction=LT }\n",
      "body { s = ", tuple, " parameter(0) i = s32[] get-tuple-element(s), index=0\n",
      "  v = ", state, " get-tuple-element(s), index=1 one = s32[] constant(1)\n",
      "  zero = s32[] constant(0) j = s32[] add(i, one) f = f32[] convert(j)\n",
      "  row = f32[1,1024] broadcast(f), dimensions={}\n  w = ", state,
      " dynamic-update-slice(v, row, i, zero) ROOT t = ", tuple, " tuple(j, w) }\n",
      "ENTRY e { x = ", state, " parameter(0) start = s32[] constant(0)\n  state = ", tuple,
      " tuple(start, x) last = ", tuple, " while(state), condition=cond, body=body\n",
      "  ROOT out = ", state, " get-tuple-element(last), index=1 }\n");
}

// A program with several kernels, temporaries, constants and a softmax.
constexpr char kChain[] = R"(HloModule chain
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[40,100] parameter(0)
  w = f32[100,70] parameter(1)
  d = f32[40,70] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[40,70] tanh(d)
  c = f32[70] iota(), iota_dimension=0
  b = f32[40,70] broadcast(c), dimensions={1}
  m = f32[40,70] multiply(t, b)
  u = f32[70,40] transpose(m), dimensions={1,0}
  g = f32[40,40] dot(m, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  s = f32[40] reduce(g, zero), dimensions={1}, to_apply=add
  ROOT out = (f32[40,40], f32[40]) tuple(g, s)
}
)";

struct Loaded {
  std::unique_ptr<Client> client;
  std::unique_ptr<Executable> executable;
  std::vector<Buffer> arguments;
};

class MemoryTest : public ::testing::TestWithParam<const char*> {
 protected:
  static Loaded Load(const std::string& text) {
    Loaded loaded;
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = GetParam()});
    EXPECT_TRUE(client.ok()) << client.status();
    loaded.client = *std::move(client);
    absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(text, "memory.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    absl::StatusOr<std::unique_ptr<Executable>> executable = loaded.client->Compile(**module);
    EXPECT_TRUE(executable.ok()) << executable.status();
    loaded.executable = *std::move(executable);
    for (const hlo::Shape& shape : loaded.executable->parameter_shapes())
      loaded.arguments.push_back(*loaded.client->BufferFromLiteral(hlo::Literal(shape)));
    return loaded;
  }
};

TEST_P(MemoryTest, ThePlanIsWhatARunTakes) {
  for (const std::string& text : {std::string(kChain), UpdateLoop(64)}) {
    Loaded loaded = Load(text);
    absl::StatusOr<std::vector<Buffer>> results =
        loaded.executable->Run(loaded.arguments, {.asynchronous = false});
    ASSERT_TRUE(results.ok()) << results.status();
    for (const Buffer& result : *results) ASSERT_TRUE(result.Wait().ok());
    const MemoryPlan plan = loaded.executable->memory_plan();
    const runtime::MemoryUse memory = loaded.client->memory_use(runtime::Space::kDevice);
    EXPECT_EQ(static_cast<int64_t>(memory.peak_bytes), plan.device_blocks()) << MemoryLine(plan);
    EXPECT_EQ(static_cast<int64_t>(memory.bytes), plan.device_blocks());
    if (plan.is_x86) {
      EXPECT_EQ(static_cast<int64_t>(memory.own_bytes), plan.scratch) << MemoryLine(plan);
    }
  }
}

TEST_P(MemoryTest, ALoopUpdatesADonatedStateInPlace) {
  constexpr int kRows = 16 << 10;  // 64 MiB
  Loaded loaded = Load(UpdateLoop(kRows));
  const int64_t state = int64_t{kRows} * 1024 * 4;
  EXPECT_EQ(loaded.executable->memory_plan().donated, state);
  absl::StatusOr<std::vector<Buffer>> results =
      loaded.executable->Run(loaded.arguments, {.donate = {true}});
  ASSERT_TRUE(results.ok()) << results.status();
  absl::StatusOr<hlo::Literal> value = (*results)[0].ToLiteral();
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(value->GetFloat(0), 1);
  EXPECT_EQ(value->GetFloat(6 * 1024 + 5), 7);
  EXPECT_EQ(value->GetFloat(7 * 1024), 0);
  const int64_t peak =
      static_cast<int64_t>(loaded.client->memory_use(runtime::Space::kDevice).peak_bytes);
  EXPECT_GE(peak, state);
  EXPECT_LT(peak, state + (64 << 10)) << "more than the one state";
}

INSTANTIATE_TEST_SUITE_P(Targets, MemoryTest, ::testing::Values("x86", "vulkan", "cuda"));

const bool kFakeCuda = testing::UseFakeCuda();

// A sum of partial sums, which are in the kernel's scratch memory until they are added.
TEST(MemoryCheck, ScratchCounts) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(
      "HloModule sum\n"
      "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"
      "ENTRY e { x = f32[4194304] parameter(0) zero = f32[] constant(0)\n"
      "  ROOT s = f32[] reduce(x, zero), dimensions={0}, to_apply=add }\n",
      "sum.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  absl::StatusOr<Target> target = ParseTarget("cuda:h200");
  ASSERT_TRUE(target.ok()) << target.status();
  ProgramCompiler compiler;
  absl::StatusOr<ProgramSpec> spec = compiler.Compile(**module, *target);
  ASSERT_TRUE(spec.ok()) << spec.status();
  const absl::StatusOr<MemoryPlan> plan = PlanMemory(*spec, 1);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_GT(plan->scratch, 0) << MemoryLine(*plan);
  ASSERT_EQ(plan->host_arena, 0);
  target->device.memory_bytes = static_cast<uint64_t>(plan->total());
  EXPECT_TRUE(compiler.Compile(**module, *target).ok());
  --target->device.memory_bytes;
  const absl::Status status = compiler.Compile(**module, *target).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("sum does not fit"), HasSubstr("the largest buffers:"),
                    HasSubstr(BytesText(plan->scratch) + "  kernels' scratch")));
  // The scratch memory must also fit into one allocation.
  spec->device.max_allocation_bytes = static_cast<uint64_t>(plan->scratch);
  EXPECT_TRUE(CheckMemoryWithScratch(*spec, 1).ok());
  --spec->device.max_allocation_bytes;
  const absl::Status block = CheckMemoryWithScratch(*spec, 1);
  EXPECT_EQ(block.code(), absl::StatusCode::kResourceExhausted) << block;
  EXPECT_THAT(std::string(block.message()), HasSubstr("of scratch, and the largest allocation"));
}

// A described device with more or less memory than the one that runs it.
TEST(MemoryCheck, TheLesserOfDescribedAndLiveMemoryCounts) {
  const absl::StatusOr<Target> live = ParseTarget("cuda");
  ASSERT_TRUE(live.ok()) << live.status();
  for (const bool larger : {true, false}) {
    runtime::DeviceInfo device = live->device;
    if (larger) {
      device.memory_bytes = device.max_allocation_bytes = uint64_t{1} << 50;
    } else {
      device.memory_bytes = device.max_allocation_bytes = uint64_t{1} << 20;
    }
    const std::string path = ::testing::TempDir() + "/described.device";
    std::ofstream(path) << WriteDeviceFile(device);
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = "cuda:" + path});
    ASSERT_TRUE(client.ok()) << client.status();
    const runtime::DeviceInfo& planned = (*client)->target().device;
    EXPECT_EQ(planned.memory_bytes, std::min(live->device.memory_bytes, device.memory_bytes));
    EXPECT_EQ(planned.max_allocation_bytes,
              std::min(live->device.max_allocation_bytes, device.max_allocation_bytes));
  }
}

TEST(MemoryCheck, WhatCannotFitIsSaidBeforeItIsCompiled) {
  // Each of the arguments fits, but they do not fit together.
  const int64_t have = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  const std::string shape = absl::StrCat("f32[", have / 4 / 1024 / 2, ",1024]");
  std::string text = "HloModule huge\nENTRY e {\n";
  for (int i = 0; i < 12; ++i)
    absl::StrAppend(&text, "  x", i, " = ", shape, " parameter(", i, ")\n");
  absl::StrAppend(&text, "  s0 = ", shape, " add(x0, x1)\n");
  for (int i = 2; i < 12; ++i)
    absl::StrAppend(&text, i == 11 ? "  ROOT s" : "  s", i - 1, " = ", shape, " multiply(s", i - 2,
                    ", x", i, ")\n");
  text += "}\n";
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = "x86"});
  ASSERT_TRUE(client.ok()) << client.status();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(text, "huge.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  const absl::Status status = (*client)->Compile(**module).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("huge does not fit"), HasSubstr("the largest buffers:"),
                    HasSubstr("argument arg0"), HasSubstr("kept for the whole run")));
  size_t lines = 0;
  for (char c : status.message()) lines += c == '\n' ? 1 : 0;
  EXPECT_EQ(lines, 12u) << status.message();  // ten buffers, heading and advice
}

ProgramSpec SpecOf(int temps) {
  ProgramSpec spec;
  spec.name = "a<b>\"c\"";
  spec.target = "x86";
  spec.sequences.resize(1);
  ProgramSpec::Kernel kernel;
  kernel.name = "fusion (add & mul)";
  kernel.provenance = "op\nmodel.hlo:3:4\n";
  spec.kernels.push_back(kernel);
  spec.parameters.push_back({"arg0", "f32", {256}, {}, 1024, -1});
  spec.results.push_back({"out0", "f32", {256}, {}, 1024, -1});
  using Kind = ProgramSpec::AllocationKind;
  spec.allocations.push_back({Kind::kParameter, MemorySpace::kDevice, 0, 0, 1024, "x"});
  spec.allocations.push_back({Kind::kResult, MemorySpace::kDevice, 0, 0, 1024, "y"});
  for (int i = 0; i <= temps; ++i) {
    const int32_t last = static_cast<int32_t>(spec.allocations.size()) - 1;
    if (i < temps)
      spec.allocations.push_back(
          {Kind::kTemp, MemorySpace::kDevice, 0, (i % 3) * 1024, 1024, absl::StrCat("v", i)});
    ProgramSpec::Step step;
    step.kernel = 0;
    step.num_inputs = 1;
    step.slices = {{i == 0 ? 0 : last, 0, 1024}, {i < temps ? last + 1 : 1, 0, 1024}};
    if (i == 1) step.slices[0].allocation = 2;
    step.label = absl::StrCat("step", i);
    spec.sequences[0].steps.push_back(step);
  }
  spec.device_arena_bytes = 3 * 1024;
  return spec;
}

TEST(MemorySvg, HasARectangleForEachBuffer) {
  for (int temps : {3, 500}) {
    const ProgramSpec spec = SpecOf(temps);
    const std::string svg = MemorySvg(spec);
    int rectangles = 0;
    for (size_t at = svg.find("<rect class=\"b\""); at != std::string::npos;
         at = svg.find("<rect class=\"b\"", at + 1))
      ++rectangles;
    EXPECT_EQ(rectangles, temps + 2);
    EXPECT_THAT(svg,
                AllOf(HasSubstr("a&lt;b&gt;&quot;c&quot;"), HasSubstr("fusion (add &amp; mul)"),
                      HasSubstr("model.hlo:3:4"), HasSubstr("</svg>")));
  }
}

TEST(MemoryReport, LifetimesGoFromTheFirstWriteToTheLastRead) {
  const BufferReports reports = ReportBuffers(SpecOf(3));
  EXPECT_EQ(reports.num_steps, 4);
  ASSERT_EQ(reports.buffers.size(), 5u);
  EXPECT_EQ(reports.buffers[2].first, 0);
  EXPECT_EQ(reports.buffers[2].last, 1);
  EXPECT_EQ(reports.buffers[2].place, "model.hlo:3:4");
  EXPECT_EQ(reports.buffers[4].first, 2);
  EXPECT_EQ(reports.buffers[4].last, 3);
}

TEST(BytesText, HasThreeDigits) {
  EXPECT_EQ(BytesText(0), "0 bytes");
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(1000), "1.00 kB");
  EXPECT_EQ(BytesText(12345), "12.3 kB");
  EXPECT_EQ(BytesText(123456789), "123 MB");
  EXPECT_EQ(BytesText(999999), "1.00 MB");
}

}  // namespace
}  // namespace halyard
