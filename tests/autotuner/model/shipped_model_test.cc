// Tests the model that Halyard ships, and the committed records on which it is trained.
#include "autotuner/model/shipped_model.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "autotuner/model/measured_kernels.h"
#include "autotuner/records/record_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using ::testing::HasSubstr;

constexpr char kRecords[] = HALYARD_SOURCE_DIR "/autotuner/records/x86.jsonl";

// The model must know the kernels that it was trained on.
TEST(ShippedModel, RanksTheRecordsItWasTrainedOn) {
  absl::StatusOr<CostModel> model = ShippedModel(runtime::DeviceKind::kX86);
  ASSERT_TRUE(model.ok()) << model.status();
  const absl::StatusOr<MeasuredKernels> kernels = ReadMeasuredKernels(kRecords);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_GT(kernels->size(), 30u);
  double recall = 0, speed = 0;
  for (const auto& [key, kernel] : *kernels) {
    absl::StatusOr<std::vector<double>> predicted = model->Predict(kernel.ScheduleFeatures());
    ASSERT_TRUE(predicted.ok()) << predicted.status();
    const RankingQuality quality = QualityOf(*predicted, kernel.seconds);
    recall += quality.recall / static_cast<double>(kernels->size());
    speed += quality.speed_of_first / static_cast<double>(kernels->size());
  }
  EXPECT_GT(recall, 0.6);
  EXPECT_GT(speed, 0.97);
}

TEST(ShippedModel, OtherKindsHaveNone) {
  EXPECT_EQ(ShippedModel(runtime::DeviceKind::kCuda).status().code(), absl::StatusCode::kNotFound);
}

Record Example(const std::string& kernel, const std::string& schedule) {
  Record record;
  record.kernel = kernel;
  record.device = "a device";
  record.schedule = schedule;
  record.version = "plain 1";
  record.seconds = 1.25e-6;
  return record;
}

TEST(RecordText, HasEachKernelOnce) {
  RecordTextWriter writer;
  std::string text;
  std::vector<Record> records = {Example("one\nkernel", "plain vec=1"),
                                 Example("one\nkernel", "plain vec=2"),
                                 Example("another", "plain vec=1")};
  records[1].resources.code_bytes = 1024;
  for (const Record& record : records) writer.Append(record, &text);
  EXPECT_EQ(std::vector<std::string>(absl::StrSplit(text, "one\\nkernel")).size(), 2u) << text;
  EXPECT_EQ(std::vector<std::string>(absl::StrSplit(text, '\n')).size(), 6u);
  const absl::StatusOr<std::vector<Record>> back = ReadRecordText(text, "f");
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, records);
  // Files that are joined end to end, and records that contain the kernel themselves.
  const auto joined = ReadRecordText(absl::StrCat(text, text, ToJson(records[0]), "\n"), "f");
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(joined->size(), 7u);
}

TEST(RecordText, SaysWhichLineIsWrong) {
  RecordTextWriter writer;
  std::string text;
  writer.Append(Example("kernel", "plain vec=1"), &text);
  const std::string record = text.substr(text.find('\n') + 1);
  EXPECT_THAT(std::string(ReadRecordText(record, "f.jsonl").status().message()),
              HasSubstr("f.jsonl:1:1: error: no line before has the kernel of \"id\""));
  EXPECT_THAT(
      std::string(
          ReadRecordText(absl::StrReplaceAll(text, {{":\"kernel\"", ":\"Kernel\""}}), "f.jsonl")
              .status()
              .message()),
      HasSubstr("is not the kernel's fingerprint"));
  EXPECT_THAT(std::string(ReadRecordText(text + "{\n", "f.jsonl").status().message()),
              HasSubstr("f.jsonl:3:1: error: the line is not a JSON object"));
}

}  // namespace
}  // namespace halyard::autotuner
