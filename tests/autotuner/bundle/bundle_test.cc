// Tests bundles: what is written is read back, and what is damaged or made up is refused.
#include "autotuner/bundle/bundle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "autotuner/bundle/device_fit.h"
#include "autotuner/measure/worker.h"
#include "autotuner/records/record_lines.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::autotuner {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string TemporaryPath(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), "/bundle_test_", getpid(), "_", name);
}

std::string Bytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

runtime::DeviceInfo Device() {
  runtime::DeviceInfo device;
  strcpy(device.name, "x86-64-v3");
  device.x86_features = runtime::kX86Avx | runtime::kX86Avx2;
  device.compute_units = 4;
  return device;
}

TrialData Data() {
  TrialData data;
  const OutputRule rule = {.type = hlo::ElementType::kBF16,
                           .of_largest = 1e-6,
                           .of_element = 0x1p-7,
                           .absolute = 1e-40,
                           .scale = 2.5,
                           .may_differ = 3,
                           .signed_zeros = true,
                           .nan_for_number = true,
                           .nan_for_infinity = true};
  data.cases = {{"plain", {"in\0put", ""}, {std::string(8, 'x')}, {rule}},
                {"special", {"other", ""}, {std::string(8, 'y')}, {OutputRule()}}};
  data.aliases = {{0, 1}};
  return data;
}

class BundleTest : public ::testing::Test {
 protected:
  BundleTest() {
    absl::StatusOr<BundleWriter> writer = BundleWriter::Create(path_);
    EXPECT_TRUE(writer.ok()) << writer.status();
    BundleIndex index;
    index.program = "model \"m\" \xff.mlir";
    index.target = "x86:v3";
    index.versions = "halide 21";
    index.created = 1'700'000'000;
    BundleKernel kernel;
    kernel.name = "dot.1";
    kernel.uses = 2.5;
    kernel.request.device = Device();
    kernel.request.hlo = "HloModule m\n";
    kernel.data = *writer->AddData(Data());
    kernel.candidates.push_back(
        {"plain a=1", "plain 1", Outcome::kGood, "", *writer->AddObject("object one"), {}});
    kernel.candidates.back().resources.registers = 40;
    kernel.candidates.push_back(
        {"plain a=2", "plain 1", Outcome::kCompileError, "no room", {}, {}});
    index.kernels.push_back(kernel);
    const absl::Status status = writer->Finish(index);
    EXPECT_TRUE(status.ok()) << status;
    good_ = Bytes(path_);
  }
  ~BundleTest() override { std::filesystem::remove(path_); }

  // Opens these bytes, and reads everything in them.
  absl::Status ReadAll(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    absl::StatusOr<Bundle> bundle = Bundle::Open(path_);
    if (!bundle.ok()) return bundle.status();
    for (const BundleKernel& kernel : bundle->index().kernels) {
      if (absl::Status s = bundle->Data(kernel).status(); !s.ok()) return s;
      for (const BundleCandidate& candidate : kernel.candidates) {
        if (candidate.outcome != Outcome::kGood) continue;
        if (absl::Status s = bundle->Object(candidate).status(); !s.ok()) return s;
      }
    }
    return absl::OkStatus();
  }

  json Index() const {
    uint64_t offset;
    memcpy(&offset, good_.data() + 8, 8);
    return json::parse(good_.substr(offset));
  }
  // Returns the bundle with another index that somebody made up, with the right checksum.
  std::string WithIndex(const std::string& text) const {
    uint64_t numbers[3];
    memcpy(numbers, good_.data() + 8, sizeof(numbers));
    numbers[1] = text.size();
    numbers[2] = XXH3_64bits(text.data(), text.size());
    std::string bytes = good_.substr(0, numbers[0]) + text;
    memcpy(bytes.data() + 8, numbers, sizeof(numbers));
    return bytes;
  }

  const std::string path_ = TemporaryPath("bundle");
  std::string good_;
};

TEST_F(BundleTest, ReadsWhatWasWritten) {
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
  absl::StatusOr<Bundle> bundle = Bundle::Open(path_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const BundleIndex& index = bundle->index();
  EXPECT_THAT(index.program, HasSubstr("model \"m\""));
  EXPECT_EQ(index.target, "x86:v3");
  EXPECT_EQ(index.created, 1'700'000'000);
  EXPECT_STREQ(index.device().name, "x86-64-v3");
  ASSERT_EQ(index.kernels.size(), 1u);
  const BundleKernel& kernel = index.kernels[0];
  EXPECT_EQ(kernel.uses, 2.5);
  EXPECT_EQ(kernel.request.hlo, "HloModule m\n");
  ASSERT_EQ(kernel.candidates.size(), 2u);
  EXPECT_EQ(*bundle->Object(kernel.candidates[0]), "object one");
  EXPECT_EQ(kernel.candidates[0].resources.ToText(), "registers=40");
  EXPECT_EQ(kernel.candidates[1].error, "no room");
  EXPECT_FALSE(kernel.candidates[1].resources.known());
  absl::StatusOr<TrialData> data = bundle->Data(kernel);
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ(data->cases.size(), 2u);
  for (size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(data->cases[c].name, Data().cases[c].name);
    EXPECT_EQ(data->cases[c].inputs, Data().cases[c].inputs);
    EXPECT_EQ(data->cases[c].expected, Data().cases[c].expected);
  }
  const OutputRule& rule = data->cases[0].rules[0];
  EXPECT_EQ(rule.type, hlo::ElementType::kBF16);
  EXPECT_EQ(rule.of_largest, 1e-6);
  EXPECT_EQ(rule.of_element, 0x1p-7);
  EXPECT_EQ(rule.absolute, 1e-40);
  EXPECT_EQ(rule.scale, 2.5);
  EXPECT_EQ(rule.may_differ, 3);
  EXPECT_TRUE(rule.signed_zeros);
  EXPECT_TRUE(rule.nan_for_number);
  EXPECT_TRUE(rule.nan_for_infinity);
  EXPECT_FALSE(data->cases[1].rules[0].signed_zeros);
  EXPECT_FALSE(data->cases[1].rules[0].nan_for_infinity);
  EXPECT_EQ(data->aliases, Data().aliases);
}

TEST_F(BundleTest, EveryDamagedByteIsNoticed) {
  for (size_t i = 0; i < good_.size(); ++i) {
    std::string damaged = good_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_FALSE(ReadAll(damaged).ok()) << "byte " << i;
  }
  for (size_t size = 0; size < good_.size(); ++size)
    EXPECT_FALSE(ReadAll(good_.substr(0, size)).ok()) << size << " bytes";
  EXPECT_FALSE(ReadAll(good_ + "x").ok());
  EXPECT_TRUE(ReadAll(good_).ok());
}

TEST_F(BundleTest, MadeUpIndicesAreRefused) {
  ASSERT_TRUE(ReadAll(WithIndex(Index().dump())).ok());
  const std::pair<const char*, json> edits[] = {
      {"/kernels", json::array()},
      {"/kernels", 7},
      {"/kernels/0", "text"},
      {"/kernels/0/uses", "many"},
      {"/kernels/0/uses", -1},
      {"/kernels/0/request", "no request"},
      {"/kernels/0/candidates", json::array()},
      {"/kernels/0/candidates/0/outcome", "fine"},
      {"/kernels/0/candidates/0/object", {31, 4, 0}},
      {"/kernels/0/candidates/0/object", {32, uint64_t{1} << 40, 0}},
      {"/kernels/0/candidates/0/object", {~uint64_t{0}, 2, 0}},
      {"/kernels/0/candidates/0/object", {40, ~uint64_t{0}, 0}},
      {"/kernels/0/candidates/0/object", {40, -1, 0}},
      {"/kernels/0/candidates/0/object", {40, 1}},
      {"/kernels/0/data", {1e300, 1, 1}},
      {"/kernels/0/candidates/0/schedule", nullptr},
      {"/target", json::object()},
  };
  for (const auto& [where, value] : edits) {
    json index = Index();
    index[json::json_pointer(where)] = value;
    const absl::Status status = ReadAll(WithIndex(index.dump()));
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << where << " " << value << " " << status;
  }
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{\"kernels\":[{}]}"), std::string("{"),
        std::string(200'000, '['), std::string("{\"kernels\":") + std::string(200'000, '['),
        "{\"kernels\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}"}) {
    EXPECT_EQ(ReadAll(WithIndex(text)).code(), absl::StatusCode::kDataLoss);
  }
}

// Kernels for two devices cannot be measured on one.
TEST_F(BundleTest, OneDeviceForAll) {
  json index = Index();
  json other = index["kernels"][0];
  index["kernels"].push_back(other);
  EXPECT_TRUE(ReadAll(WithIndex(index.dump())).ok());
  lowering::KernelRequest request;
  request.device = Device();
  request.device.compute_units = 99;
  index["kernels"][1]["request"] = request.Serialize();
  EXPECT_FALSE(ReadAll(WithIndex(index.dump())).ok());
}

TEST_F(BundleTest, OtherVersionsAndOtherFilesAreNamed) {
  std::string later = good_;
  later[7] = '3';
  EXPECT_THAT(std::string(ReadAll(later).message()), HasSubstr("another version"));
  EXPECT_THAT(std::string(ReadAll("PK\x03\x04 something else that is long enough").message()),
              HasSubstr("no bundle"));
  EXPECT_EQ(Bundle::Open("/nowhere/b").status().code(), absl::StatusCode::kNotFound);
}

TEST(BundleWriterTest, LeavesNothingIfItIsNotFinished) {
  const std::string path = TemporaryPath("unfinished");
  { ASSERT_TRUE(BundleWriter::Create(path).ok()); }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_FALSE(BundleWriter::Create("/nowhere/b").ok());
}

TEST(DecodeDataTest, RulesOfOlderBundles) {
  const std::vector<std::string> parts = {"data", "1 0 1 0", "plain", "out", "9 0.5 0 0 1 0 1 1"};
  const absl::StatusOr<TrialData> data = DecodeData(JoinParts(parts));
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->cases[0].rules[0].of_largest, 0.5);
  EXPECT_TRUE(data->cases[0].rules[0].nan_for_number);
  EXPECT_FALSE(data->cases[0].rules[0].nan_for_infinity);
}

TEST(DecodeDataTest, MadeUpDataIsRefused) {
  EXPECT_TRUE(DecodeData(EncodeData(Data())).ok());
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"data"},
      {"best", "0 0 0"},
      {"data", "1 0 0"},
      {"data", "-1 0 0", "a"},
      {"data", "1e300 0 0", "a"},
      {"data", "nan 0 0"},
      {"data", "9e18 9e18 0"},
      {"data", "2147483647 2147483647 2147483647"},
      {"data", "0 1 0", "out", "9 0 0"},
      {"data", "0 1 0", "out", "1 0 1e300"},
      {"data", "0 1 1", "out", "1 0 0", "0 0"},
      {"data", "1 1 1", "in", "out", "1 0 0", "1 0"},
  };
  for (const auto& parts : wrong)
    EXPECT_EQ(DecodeData(JoinParts(parts)).status().code(), absl::StatusCode::kDataLoss)
        << JoinParts(parts);
  EXPECT_FALSE(DecodeData("short").ok());
  EXPECT_FALSE(DecodeData(std::string(8, '\xff')).ok());
}

TEST(DeviceFitTest, LimitsAreMetOrNamed) {
  EXPECT_TRUE(RunsOn(Device(), Device()).ok());
  runtime::DeviceInfo live = Device();
  live.x86_features |= runtime::kX86Avx512;
  live.compute_units = 1;  // fewer cores run it, but more slowly
  EXPECT_TRUE(RunsOn(Device(), live).ok());
  EXPECT_THAT(DifferencesOf(Device(), live),
              ElementsAre("compute_units is 1, planned for 4", HasSubstr("x86_features is ")));
  EXPECT_THAT(std::string(RunsOn(live, Device()).message()), HasSubstr("x86_features"));

  // A description of a CPU has more fields than a CPU that is present.
  runtime::DeviceInfo described = Device();
  described.max_storage_range_bytes = uint64_t{1} << 46;
  EXPECT_TRUE(RunsOn(described, Device()).ok());

  runtime::DeviceInfo gpu;
  gpu.kind = runtime::DeviceKind::kCuda;
  strcpy(gpu.name, "NVIDIA H200");
  gpu.cuda_capability = 90;
  gpu.subgroup_size = 32;
  gpu.max_shared_bytes = 232448;
  EXPECT_THAT(std::string(RunsOn(Device(), gpu).message()), HasSubstr("compiled for x86"));
  runtime::DeviceInfo other = gpu;
  other.cuda_capability = 100;
  other.max_shared_bytes = 1024;
  const absl::Status status = RunsOn(gpu, other);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cuda_capability is 100, not 90"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("max_shared_bytes is 1024, not 232448"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--describe=cuda"));
}

TEST(RecordLinesTest, AnUnfinishedLineIsCutOff) {
  const std::string path = TemporaryPath("records");
  Record record;
  record.kernel = "k\nwith lines";
  record.device = "d";
  record.schedule = "plain a=1";
  record.version = "plain 1";
  record.seconds = 1e-3;
  {
    absl::StatusOr<RecordLines> lines = RecordLines::Open(path);
    ASSERT_TRUE(lines.ok()) << lines.status();
    ASSERT_TRUE(lines->Append(record).ok());
    record.schedule = "plain a=2";
    ASSERT_TRUE(lines->Append(record).ok());
  }
  const std::string whole = Bytes(path);
  // Cuts the file as if the writer had been killed anywhere within the second line.
  const size_t first = whole.find('\n') + 1;
  for (size_t size = first; size < whole.size(); size += 7) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    absl::StatusOr<RecordLines> lines = RecordLines::Open(path);
    ASSERT_TRUE(lines.ok()) << lines.status();
    ASSERT_EQ(lines->found().size(), 1u);
    ASSERT_TRUE(lines->Append(record).ok());
    EXPECT_EQ(Bytes(path), whole);
  }
  std::ofstream(path, std::ios::binary) << "{\"not\": \"a record\"}\n" << whole;
  EXPECT_THAT(std::string(RecordLines::Open(path).status().message()), HasSubstr(":1:1: error:"));
  std::filesystem::remove(path);
}

// Files of other kinds that somebody names by mistake.
TEST(RecordLinesTest, OtherFilesAreLeftAsTheyAre) {
  const std::string path = TemporaryPath("notes");
  Record record;
  record.kernel = "k";
  record.device = "d";
  record.schedule = "plain a=1";
  record.version = "plain 1";
  record.seconds = 1e-3;
  const std::string line = ToJson(record) + "\n";
  for (const std::string& text :
       {std::string("my precious notes without newline"), std::string("a line\nand no end"),
        std::string("{\"kernel\":\"linux\"}"), std::string("{\n  \"kernel\": 1\n}"),
        std::string("{ \"mine\": 1"), line + "notes", line + "{\"mine\": 1}"}) {
    std::ofstream(path, std::ios::binary) << text;
    const absl::Status status = RecordLines::Open(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(":1: error: "));
    EXPECT_EQ(Bytes(path), text);
  }
  // One of our files may also be cut off within its first line.
  for (size_t size = 0; size < line.size(); ++size) {
    std::ofstream(path, std::ios::binary) << line.substr(0, size);
    absl::StatusOr<RecordLines> lines = RecordLines::Open(path);
    ASSERT_TRUE(lines.ok()) << lines.status();
    EXPECT_EQ(Bytes(path), "");
  }
  std::filesystem::remove(path);
}

// Records are read, cut off and appended, which is impossible with a pipe or a device.
TEST(RecordLinesTest, AreOfRegularFiles) {
  const std::string pipe = TemporaryPath("records.pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    EXPECT_THAT(RecordLines::Open(path).status().message(),
                HasSubstr(path + ": not a regular file"));
  }
  std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace halyard::autotuner
