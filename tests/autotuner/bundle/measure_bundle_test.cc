// Measures a bundle of kernels written in C, as on a machine without a compiler.
#include "autotuner/bundle/measure_bundle.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "autotuner/records/record_lines.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/x86/x86.h"
#include "tests/autotuner/c_kernel.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::DoubleData;
using halyard::testing::KernelOf;
using ::testing::HasSubstr;

runtime::DeviceInfo LiveDevice() {
  runtime::Device* device = nullptr;
  EXPECT_TRUE(runtime::x86::OpenDevice(0, &device).ok());
  const runtime::DeviceInfo info = device->info();
  device->Destroy();
  return info;
}

constexpr char kDouble[] = "for (int i = 0; i < 256; i++) out[i] = in[i] * 2;";
constexpr char kSlowDouble[] =
    "for (int r = 0; r < 400; r++) for (int i = 0; i < 256; i++) { sink = r; out[i] = in[i] * 2; }";

class MeasureBundleTest : public ::testing::Test {
 protected:
  MeasureBundleTest() {
    options_.device = LiveDevice();
    options_.machine = "here";
    options_.worker.worker_path = HALYARD_BIN_DIR "/halyard-rt";
    options_.worker.threads = 1;
    options_.worker.seconds_per_trial = 3;
    options_.confirm_rounds = 8;
    std::filesystem::remove(records_);
  }
  ~MeasureBundleTest() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(records_);
  }

  // Writes one kernel whose candidates "plain a=0", "plain a=1", … have these bodies. "" stands for
  // one that did not compile.
  Bundle Write(const std::vector<std::string>& bodies, const runtime::DeviceInfo& device) {
    absl::StatusOr<BundleWriter> writer = BundleWriter::Create(path_);
    EXPECT_TRUE(writer.ok()) << writer.status();
    BundleIndex index;
    BundleKernel kernel;
    kernel.name = "double";
    kernel.uses = 3;
    kernel.request.device = device;
    kernel.request.hlo = "HloModule double\n";
    kernel.data = *writer->AddData(DoubleData());
    for (size_t i = 0; i < bodies.size(); ++i) {
      BundleCandidate candidate;
      candidate.schedule = absl::StrCat("plain a=", i);
      candidate.version = "plain 1 halide 21";
      if (bodies[i].empty()) {
        candidate.outcome = Outcome::kCompileError;
        candidate.error = "no room";
      } else {
        candidate.object = *writer->AddObject(KernelOf(absl::StrCat("bundled", i), bodies[i]));
      }
      kernel.candidates.push_back(std::move(candidate));
    }
    index.kernels.push_back(std::move(kernel));
    EXPECT_TRUE(writer->Finish(index).ok());
    return *Bundle::Open(path_);
  }

  std::vector<Record> Records() {
    absl::StatusOr<RecordLines> lines = RecordLines::Open(records_);
    EXPECT_TRUE(lines.ok()) << lines.status();
    return lines->found();
  }
  Record Last(const std::string& schedule) {
    Record last;
    for (const Record& record : Records()) {
      if (record.schedule == schedule) last = record;
    }
    EXPECT_EQ(last.schedule, schedule);
    return last;
  }

  const std::string path_ =
      absl::StrCat(::testing::TempDir(), "/measure_bundle_test_", getpid(), ".bundle");
  const std::string records_ = path_ + ".jsonl";
  MeasureBundleOptions options_;
};

TEST_F(MeasureBundleTest, EachCandidateHasItsRecord) {
  const Bundle bundle =
      Write({kSlowDouble, kDouble, "out[0] = 1;", "", "*(volatile int*)0 = 1;", "for (;;) sink++;"},
            options_.device);
  const absl::StatusOr<BundleSummary> summary = MeasureBundle(bundle, records_, options_);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->measured, 6);
  EXPECT_EQ(summary->failed, 4);
  EXPECT_EQ(Last("plain a=2").outcome, Outcome::kWrongResult);
  EXPECT_EQ(Last("plain a=3").outcome, Outcome::kCompileError);
  EXPECT_EQ(Last("plain a=3").error, "no room");
  EXPECT_EQ(Last("plain a=4").outcome, Outcome::kCrash);
  EXPECT_EQ(Last("plain a=5").outcome, Outcome::kTimeout);
  const Record slow = Last("plain a=0"), fast = Last("plain a=1");
  EXPECT_EQ(fast.outcome, Outcome::kGood);
  // On a busy machine either may seem the faster, in the rounds for which there is time.
  EXPECT_GT(slow.seconds, 0);
  EXPECT_GT(fast.seconds, 0);
  EXPECT_GT(fast.rounds, 0);
  EXPECT_EQ(fast.machine, "here");
  EXPECT_EQ(fast.device, options_.device.name);
  EXPECT_GT(fast.created, 1'700'000'000);
  lowering::KernelRequest request = bundle.index().kernels[0].request;
  EXPECT_EQ(fast.kernel, request.KernelKey());
  EXPECT_NEAR(summary->default_seconds, 3 * slow.seconds, 1e-12);
  EXPECT_NEAR(summary->best_seconds, 3 * std::min(slow.seconds, fast.seconds), 1e-12);
}

TEST_F(MeasureBundleTest, GoesOnWhereItWasStopped) {
  const Bundle bundle = Write({kDouble, kSlowDouble, kSlowDouble, "out[0] = 1;"}, options_.device);
  int asked = 0;
  options_.stopped = [&asked] { return asked++ == 2; };
  absl::StatusOr<BundleSummary> summary = MeasureBundle(bundle, records_, options_);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_TRUE(summary->stopped);
  EXPECT_EQ(summary->measured, 2);
  const std::vector<Record> before = Records();
  ASSERT_EQ(before.size(), 2u);
  // The file is as if the writer had been killed within a line.
  std::ofstream(records_, std::ios::app) << "{\"kernel\": \"Hlo";
  options_.stopped = nullptr;
  summary = MeasureBundle(bundle, records_, options_);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->known, 2);
  EXPECT_EQ(summary->measured, 2);
  const std::vector<Record> after = Records();
  ASSERT_EQ(after.size(), 4u);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1]);
  summary = MeasureBundle(bundle, records_, options_);
  EXPECT_EQ(summary->known, 4);
  EXPECT_EQ(summary->measured, 0);
  EXPECT_EQ(Records().size(), 4u);
}

TEST_F(MeasureBundleTest, RecordsAreOfTheDeviceThatThereIsAndOfThePlannedOne) {
  runtime::DeviceInfo planned = options_.device;
  planned.compute_units += 7;
  planned.x86_features = 0;
  const Bundle bundle = Write({kDouble}, planned);
  ASSERT_TRUE(MeasureBundle(bundle, records_, options_).ok());
  const std::vector<Record> records = Records();
  ASSERT_EQ(records.size(), 2u);
  lowering::KernelRequest request = bundle.index().kernels[0].request;
  EXPECT_EQ(records[0].kernel, request.KernelKey());
  request.device = options_.device;
  EXPECT_EQ(records[1].kernel, request.KernelKey());
  EXPECT_EQ(records[0].seconds, records[1].seconds);
}

// The file is as if the writer had been killed between the records of the two devices.
TEST_F(MeasureBundleTest, WritesBothRecordsEvenIfItIsKilledBetweenThem) {
  runtime::DeviceInfo planned = options_.device;
  planned.compute_units += 7;
  planned.x86_features = 0;
  const Bundle bundle = Write({kDouble}, planned);
  ASSERT_TRUE(MeasureBundle(bundle, records_, options_).ok());
  std::ifstream file(records_);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  file.close();
  std::ofstream(records_) << line << "\n";
  ASSERT_EQ(Records().size(), 1u);
  ASSERT_TRUE(MeasureBundle(bundle, records_, options_).ok());
  lowering::KernelRequest request = bundle.index().kernels[0].request;
  for (const runtime::DeviceInfo& device : {planned, options_.device}) {
    request.device = device;
    const std::vector<Record> records = Records();
    EXPECT_TRUE(std::any_of(records.begin(), records.end(), [&](const Record& record) {
      return record.kernel == request.KernelKey();
    }));
  }
}

TEST_F(MeasureBundleTest, RefusesOtherDevicesAndOtherFiles) {
  runtime::DeviceInfo planned = options_.device;
  planned.x86_features |= uint64_t{1} << 40;
  absl::Status status = MeasureBundle(Write({kDouble}, planned), records_, options_).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("x86_features"));
  EXPECT_FALSE(std::filesystem::exists(records_));
  std::ofstream(records_) << "not a record\n";
  status = MeasureBundle(Write({kDouble}, options_.device), records_, options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr(":1:1: error:"));
}

TEST_F(MeasureBundleTest, RefusesToWriteIntoTheBundle) {
  const Bundle bundle = Write({kDouble}, options_.device);
  const auto size = std::filesystem::file_size(path_);
  std::filesystem::create_symlink(path_, records_);
  for (const std::string& records : {path_, records_}) {
    const absl::Status status = MeasureBundle(bundle, records, options_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("is the bundle"));
    EXPECT_EQ(std::filesystem::file_size(path_), size);
  }
}

}  // namespace
}  // namespace halyard::autotuner
