#include "autotuner/search/choose_compiled.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "autotuner/measure/kernel_task.h"
#include "autotuner/model/measured_kernels.h"
#include "autotuner/records/record_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/tuning_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FakeTask;
using lowering::KernelResources;
using schedules::Schedule;
using ::testing::ElementsAre;

KernelResources Uses(int64_t registers, int64_t spills) {
  KernelResources resources;
  resources.registers = registers;
  resources.spilled_bytes = spills;
  resources.group_threads = 256;
  return resources;
}

CompiledCandidate Candidate(const std::string& name, int64_t spills) {
  return {Schedule(name), false, false, Uses(64, spills)};
}

TEST(SpillNeedlesslyTest, IsSaidWithinATemplate) {
  CompiledCandidate failed = Candidate("tall", 0);
  failed.failed = true;
  CompiledCandidate unknown = Candidate("wide", 0);
  unknown.resources = KernelResources();
  EXPECT_THAT(SpillNeedlessly({Candidate("flat", 8), Candidate("tall", 8), Candidate("flat", 0),
                               failed, Candidate("wide", 8), unknown}),
              ElementsAre(true, false, false, false, false, false));
}

TEST(ChooseCompiledTest, SpillingOnesComeLast) {
  EXPECT_THAT(ChooseCompiled({Candidate("a", 8), Candidate("a", 0), Candidate("b", 8),
                              Candidate("a", 16), Candidate("a", 0)},
                             3, 0, nullptr),
              ElementsAre(1, 2, 4));
  // If there are not enough others, they are still measured.
  EXPECT_THAT(ChooseCompiled({Candidate("a", 8), Candidate("a", 0)}, 3, 0, nullptr),
              ElementsAre(0, 1));
}

TEST(ChooseCompiledTest, FailedOnesAreRecordedButTakeNoOthersPlace) {
  std::vector<CompiledCandidate> candidates(6, Candidate("a", 0));
  candidates[1].failed = candidates[4].failed = candidates[5].failed = true;
  EXPECT_THAT(ChooseCompiled(candidates, 4, 0, nullptr), ElementsAre(0, 1, 2, 3));
  candidates[0].failed = true;
  EXPECT_THAT(ChooseCompiled(candidates, 5, 0, nullptr), ElementsAre(0, 1, 2, 3, 4));
}

TEST(ChooseCompiledTest, TheRankerChoosesButForWhatExplores) {
  std::vector<CompiledCandidate> candidates;
  for (int i = 0; i < 6; ++i) {
    candidates.push_back(Candidate("a", 0));
    candidates.back().resources.registers = 100 - i;
  }
  const CompiledRanker ranker = [](absl::Span<const Schedule>,
                                   absl::Span<const KernelResources> resources) {
    std::vector<double> scores;
    for (const KernelResources& one : resources)
      scores.push_back(static_cast<double>(one.registers));
    return scores;
  };
  EXPECT_THAT(ChooseCompiled(candidates, 3, 0.3, ranker), ElementsAre(3, 4, 5));
  // One of three candidates is for exploration. Another one that was drawn must be good.
  candidates[0].drawn = candidates[1].drawn = true;
  EXPECT_THAT(ChooseCompiled(candidates, 3, 0.3, ranker), ElementsAre(0, 4, 5));
  // A candidate that spills is not used for exploration either.
  candidates[0].resources.spilled_bytes = 4;
  EXPECT_THAT(ChooseCompiled(candidates, 3, 0.3, ranker), ElementsAre(1, 4, 5));
}

KernelTask CudaTask() {
  KernelTask task = FakeTask();
  task.request.device.kind = runtime::DeviceKind::kCuda;
  task.request.device.cuda_capability = 90;
  task.request.device.subgroup_size = 32;
  task.request.device.unit_threads = 2048;
  task.request.device.unit_groups = 32;
  task.request.device.unit_registers = 65536;
  task.request.device.unit_shared_bytes = 233472;
  task.key = task.request.KernelKey();
  return task;
}

Record CudaRecord(const KernelTask& task, int a, int b, bool spills) {
  Record record;
  record.kernel = task.key;
  record.device = task.device;
  record.schedule = Schedule("plain").Set("unroll", a).Set("block", b).ToString();
  record.version = VersionOfLine(record.schedule);
  // Knobs only add noise to the time, but spills make it long.
  record.seconds = (spills ? 2e-3 : 1e-3) * (1 + 0.001 * ((a * 7 + b * 3) % 5));
  record.resources = Uses(spills ? 255 : 40, spills ? 512 : 0);
  return record;
}

TEST(CompiledRankerTest, LearnsFromWhatPtxasSays) {
  const KernelTask task = CudaTask();
  History history(runtime::DeviceKind::kCuda);
  std::minstd_rand random(3);
  std::vector<Record> records;
  for (int a = 1; a <= 16; ++a) {
    for (int b = 1; b <= 6; ++b) records.push_back(CudaRecord(task, a, b, random() % 2 == 0));
  }
  // Records without resources are of no use to it.
  for (size_t i = 0; i < records.size(); ++i) {
    Record unknown = records[i];
    if (i < 40) unknown.resources = KernelResources();
    history.Add(unknown);
  }
  ASSERT_TRUE(history.CompiledRankerOf(task.key).ok());
  EXPECT_TRUE(*history.CompiledRankerOf(task.key) == nullptr);  // 56 of 64
  for (size_t i = 0; i < 40; ++i) history.Add(records[i]);
  const absl::StatusOr<CompiledRanker> ranker = history.CompiledRankerOf(task.key);
  ASSERT_TRUE(ranker.ok()) << ranker.status();
  ASSERT_TRUE(*ranker != nullptr);
  // It has not seen these knobs together, so what compiling reports decides.
  std::vector<Schedule> schedules;
  std::vector<KernelResources> resources;
  for (int i = 0; i < 20; ++i) {
    schedules.push_back(Schedule("plain").Set("unroll", 1 + i % 16).Set("block", 7));
    resources.push_back(i % 2 == 0 ? Uses(255, 512) : Uses(40, 0));
  }
  const std::vector<double> scores = (*ranker)(schedules, resources);
  for (int i = 0; i + 1 < 20; i += 2) EXPECT_GT(scores[i], scores[i + 1]) << i;
}

TEST(CompiledRankerTest, X86HasNone) {
  History history(runtime::DeviceKind::kX86);
  const KernelTask task = FakeTask();
  for (int i = 0; i < 100; ++i) {
    Record record = CudaRecord(task, 1 + i % 10, 1 + i / 10, false);
    history.Add(record);
  }
  ASSERT_TRUE(history.RankerOf(task.key).ok());
  EXPECT_TRUE(*history.CompiledRankerOf(task.key) == nullptr);
}

TEST(HistoryTest, AConfirmedRecordTakesThePlaceOfTheFirst) {
  History history(runtime::DeviceKind::kCuda);
  const KernelTask task = CudaTask();
  Record record = CudaRecord(task, 2, 3, false);
  history.Add(record);
  record.seconds *= 0.9;
  history.Add(record);
  KernelTask other = FakeTask(
      "HloModule k\n\nENTRY e {\n  p = f32[64,32] parameter(0)\n"
      "  ROOT r = f32[64,32] exponential(p)\n}\n");
  other.request.device = task.request.device;
  other.key = other.request.KernelKey();
  const std::vector<Schedule> nearest = history.Nearest(other, 4);
  ASSERT_EQ(nearest.size(), 1u);
  EXPECT_EQ(nearest[0].ToString(), record.schedule);
}

TEST(ResidentGroupsTest, IsAsInTheOccupancyCalculator) {
  const runtime::DeviceInfo device = CudaTask().request.device;
  EXPECT_EQ(ResidentGroups(device, KernelResources()), 0);
  EXPECT_EQ(ResidentGroups(device, Uses(32, 0)), 8);   // by threads
  EXPECT_EQ(ResidentGroups(device, Uses(33, 0)), 6);   // registers come in eights: 40
  EXPECT_EQ(ResidentGroups(device, Uses(64, 0)), 4);   // by registers
  EXPECT_EQ(ResidentGroups(device, Uses(255, 0)), 1);  // 256
  KernelResources shared = Uses(32, 0);
  shared.shared_bytes = 100000;
  EXPECT_EQ(ResidentGroups(device, shared), 2);
  KernelResources small = Uses(16, 0);
  small.group_threads = 32;
  EXPECT_EQ(ResidentGroups(device, small), 32);  // by groups
  runtime::DeviceInfo unknown = device;
  unknown.unit_threads = unknown.unit_groups = unknown.unit_registers = 0;
  unknown.unit_shared_bytes = 0;
  EXPECT_EQ(ResidentGroups(unknown, Uses(32, 0)), 0);
}

TEST(AddCompiledTest, WhatIsNotKnownIsNoFeature) {
  const runtime::DeviceInfo device = CudaTask().request.device;
  Features features;
  AddCompiled(device, KernelResources(), &features);
  EXPECT_TRUE(features.empty());
  AddCompiled(device, Uses(64, 24), &features);
  EXPECT_FLOAT_EQ(features.at("ptxas.spills"), std::log2(25.0f));
  EXPECT_FLOAT_EQ(features.at("ptxas.registers"), std::log2(65.0f));
  EXPECT_FLOAT_EQ(features.at("resident.groups"), std::log2(5.0f));
  EXPECT_FLOAT_EQ(features.at("resident.threads"), 0.5f);
  EXPECT_EQ(features.count("group.shared"), 0u);
  EXPECT_EQ(features.count("code.bytes"), 0u);
}

TEST(MeasuredKernelsTest, KnowWhatCompilingFoundOut) {
  const KernelTask task = CudaTask();
  const std::string path = ::testing::TempDir() + "/measured_" + std::to_string(getpid());
  RecordTextWriter writer;
  std::string text;
  writer.Append(CudaRecord(task, 1, 1, true), &text);
  Record old = CudaRecord(task, 2, 1, false);
  old.resources = KernelResources();
  writer.Append(old, &text);
  std::ofstream(path) << text;
  const absl::StatusOr<MeasuredKernels> kernels = ReadMeasuredKernels(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  const MeasuredKernel& kernel = kernels->at(task.key);
  const std::vector<Features> compiled = kernel.ScheduleFeatures(/*compiled=*/true);
  ASSERT_EQ(compiled.size(), 2u);
  EXPECT_EQ(compiled[0].count("ptxas.spills"), 1u);
  EXPECT_EQ(compiled[1], kernel.ScheduleFeatures()[1]);
  EXPECT_EQ(kernel.ScheduleFeatures()[0].count("ptxas.spills"), 0u);
}

}  // namespace
}  // namespace halyard::autotuner
