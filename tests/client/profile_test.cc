// Profiles of real runs: the events of the trace nest and add up, and the table states what kernels
// do.
#include "client/reports/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "client/api/client.h"
#include "client/tuning/measured_rates.h"
#include "nlohmann/json.hpp"
#include "tests/fakes/use_fake_cuda.h"

namespace halyard {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kProgram[] = R"(HloModule layer
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
cond { s = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5) ROOT c = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[64]) parameter(0) i = s32[] get-tuple-element(s), index=0
  v = f32[64] get-tuple-element(s), index=1 one = s32[] constant(1) j = s32[] add(i, one)
  w = f32[64] tanh(v), metadata={op_name="loop/tanh" source_file="layer.py" source_line=7}
  ROOT t = (s32[], f32[64]) tuple(j, w) }
ENTRY e {
  x = f32[64,96] parameter(0)
  y = f32[96,64] parameter(1)
  d = f32[64,64] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="layer/dot" source_file="layer.py" source_line=3}
  zero = f32[] constant(0)
  sum = f32[64] reduce(d, zero), dimensions={1}, to_apply=add
  start = s32[] constant(0)
  state = (s32[], f32[64]) tuple(start, sum)
  last = (s32[], f32[64]) while(state), condition=cond, body=body
  ROOT out = f32[64] get-tuple-element(last), index=1
}
)";
constexpr int kRuns = 3;

class ProfileTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/halyard-profile-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    options_.target = GetParam();
    options_.cache_dir = folder_;  // so that kernels are compiled
    options_.profile = std::make_shared<Profile>();
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(options_);
    ASSERT_TRUE(client.ok()) << client.status();
    absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(kProgram, "layer.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    absl::StatusOr<std::unique_ptr<Executable>> executable = (*client)->Compile(**module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    std::vector<hlo::Literal> arguments;
    for (const hlo::Shape& shape : (*executable)->parameter_shapes()) arguments.emplace_back(shape);
    for (int run = 0; run < kRuns; ++run) {
      absl::StatusOr<std::vector<hlo::Literal>> results = (*executable)->RunLiterals(arguments);
      ASSERT_TRUE(results.ok()) << results.status();
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  ClientOptions options_;
};

TEST_P(ProfileTest, TheTraceNestsAndAddsUp) {
  const json trace = json::parse(TraceJson(*options_.profile));
  std::map<int, std::string> tracks;
  std::map<int, std::vector<std::pair<double, double>>> open;  // by track: begin, end
  std::map<std::string, int> categories;
  std::vector<std::pair<double, double>> runs;
  std::map<int, double> kernel_time;
  double previous = 0;
  for (const json& event : trace["traceEvents"]) {
    const int track = event.value("tid", 0);
    if (event["ph"] == "M") {
      if (event["name"] == "thread_name") tracks[track] = event["args"]["name"];
      continue;
    }
    ASSERT_EQ(event["ph"], "X");
    const double begin = event["ts"], end = begin + event["dur"].get<double>();
    EXPECT_GE(begin, previous) << "not in the order of time";
    EXPECT_GE(end, begin);
    previous = begin;
    EXPECT_TRUE(tracks.contains(track));
    ++categories[event["cat"]];
    // The resolution of the clock is a thousandth of a microsecond.
    constexpr double kSlack = 0.002;
    auto& stack = open[track];
    while (!stack.empty() && stack.back().second <= begin + kSlack) stack.pop_back();
    if (!stack.empty()) {
      EXPECT_LE(end, stack.back().second + kSlack) << event["name"] << " overlaps another";
    }
    stack.push_back({begin, end});
    if (event["cat"] == "run") runs.push_back({begin, end});
    if (event["cat"] != "kernel") continue;
    ASSERT_TRUE(event["args"].contains("flops"));
    const int run = event["args"]["run"];
    ASSERT_LT(static_cast<size_t>(run), runs.size());
    kernel_time[run] += end - begin;
    if (!event["args"]["ops"].empty() && event["args"]["ops"][0] == "layer/dot") {
      EXPECT_THAT(event["args"]["places"].dump(), HasSubstr("layer.py:3"));
    }
  }
  EXPECT_EQ(categories["run"], kRuns);
  EXPECT_EQ(categories["upload"], 2 * kRuns);
  EXPECT_EQ(categories["download"], kRuns);
  EXPECT_GE(categories["codegen"], 2);
  EXPECT_GE(categories["compile"], 10) << "plan with its passes, codegen, load";
  EXPECT_GE(categories["kernel"], kRuns * (5 + 1)) << "the loop's five rounds, and the product";
  for (const auto& [run, time] : kernel_time)
    EXPECT_LE(time, runs[run].second - runs[run].first) << "run " << run;
}

TEST_P(ProfileTest, TheTableSaysWhatKernelsDo) {
  const MeasuredRates rates = {.copy_bytes_per_s = 10e9, .f32_flops_per_s = 100e9};
  const ProfileTable table = Tabulate(*options_.profile, rates);
  const std::vector<ProfileKernel> kernels = options_.profile->kernels();
  EXPECT_EQ(table.runs, kRuns);
  double share = 0, ms = 0;
  bool product = false, loop = false;
  for (const ProfileRow& row : table.rows) {
    share += row.share;
    ms += row.ms;
    if (row.kernel < 0) continue;
    const ProfileKernel& kernel = kernels[row.kernel];
    EXPECT_NEAR(row.gflop_per_s * row.ms * 1e6, row.calls * kernel.flops, 1e-3 * kernel.flops + 1);
    if (!kernel.on_host) {
      EXPECT_NEAR(row.of_copy, row.gb_per_s / 10, 1e-9);
    }
    if (kernel.flops >= 2 * 64 * 64 * 96) {
      product = true;
      EXPECT_EQ(row.calls, 1);
      EXPECT_NEAR(row.of_peak, row.gflop_per_s / 100, 1e-9);
    }
    if (!kernel.ops.empty() && kernel.ops[0] == "loop/tanh") {
      loop = true;
      EXPECT_EQ(row.calls, 5);
      EXPECT_EQ(kernel.bytes, 2 * 4 * 64);
      EXPECT_THAT(kernel.places, ::testing::Contains(HasSubstr("layer.py:7")));
    }
  }
  EXPECT_TRUE(product);
  EXPECT_TRUE(loop);
  EXPECT_NEAR(share, 1, 1e-9);
  EXPECT_NEAR(ms, table.steps_ms, 1e-9);
  EXPECT_LE(table.steps_ms, table.run_ms);
  const std::string text = TableText(*options_.profile, table, rates);
  EXPECT_THAT(text, HasSubstr("of copy"));
  EXPECT_THAT(text, HasSubstr("layer/dot"));
  const json parsed = json::parse(TableJson(*options_.profile, table, rates));
  EXPECT_EQ(parsed["rows"].size(), table.rows.size());
  EXPECT_EQ(parsed["copy_gb_per_s"], 10);
}

INSTANTIATE_TEST_SUITE_P(Targets, ProfileTest, ::testing::Values("x86", "vulkan", "cuda"));

const bool kFakeCuda = testing::UseFakeCuda();

TEST(MeasuredRates, AreThoseOfAComputer) {
  absl::StatusOr<MeasuredRates> rates = MeasureRates({.target = "x86"});
  ASSERT_TRUE(rates.ok()) << rates.status();
  EXPECT_GT(rates->copy_bytes_per_s, 1e8);
  EXPECT_LT(rates->copy_bytes_per_s, 1e13);
  EXPECT_GT(rates->f32_flops_per_s, 1e8);
  EXPECT_LT(rates->f32_flops_per_s, 1e15);
}

TEST(Provenance, IsSplitIntoOpsAndPlaces) {
  std::vector<std::string> ops, places;
  SplitProvenance("jit(f)/dot\nmodel.hlo:12:3\nscope: a:b\n/x/y.py:7:0\n", &ops, &places);
  EXPECT_THAT(ops, ::testing::ElementsAre("jit(f)/dot", "scope: a:b"));
  EXPECT_THAT(places, ::testing::ElementsAre("model.hlo:12:3", "/x/y.py:7:0"));
}

}  // namespace
}  // namespace halyard
