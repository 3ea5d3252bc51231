#include "autotuner/measure/expected_outputs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using ::testing::HasSubstr;

// An output of 1000 bytes, of which the oracle has computed the first 100: zeros.
TrialData Bytes(int64_t may_differ) {
  std::vector<int64_t> first(100);
  for (size_t i = 0; i < first.size(); ++i) first[i] = static_cast<int64_t>(i);
  TrialData data;
  const OutputRule rule = {.type = hlo::ElementType::kS8, .may_differ = may_differ};
  data.cases = {{"values", {}, {std::string(100, '\0')}, {rule}}};
  data.samples = {{1, {1000}, {first}}};
  return data;
}

TEST(ExpectedOutputs, SampledOnesAreComparedWithBoth) {
  ExpectedOutputs expected;
  ASSERT_TRUE(expected.Set(Bytes(0)).ok());
  EXPECT_TRUE(expected.wants_reference());
  std::string output(1000, '\0');
  output[500] = 7;
  double difference = 0;
  EXPECT_EQ(expected.Compare(0, 0, output, &difference), "");
  expected.SetReference({{output}});
  EXPECT_FALSE(expected.wants_reference());
  EXPECT_EQ(expected.Compare(0, 0, output, &difference), "");
  output[500] = 8;
  EXPECT_THAT(
      expected.Compare(0, 0, output, &difference),
      HasSubstr("beside the reference schedule's output, element 500 has the bits 8, not 7"));
  output[50] = 1;
  EXPECT_THAT(expected.Compare(0, 0, output, &difference), HasSubstr("in the sample, element 50"));
  expected.DropReference();
  output[50] = 0;
  EXPECT_EQ(expected.Compare(0, 0, output, &difference), "");
}

TEST(ExpectedOutputs, OfASampleAsLargeAShareMayDifferAsOfTheWhole) {
  ExpectedOutputs expected;
  ASSERT_TRUE(expected.Set(Bytes(20)).ok());
  std::string output(1000, '\0');
  output[0] = output[1] = 1;
  double difference = 0;
  EXPECT_EQ(expected.Compare(0, 0, output, &difference), "");
  output[2] = 1;
  EXPECT_NE(expected.Compare(0, 0, output, &difference), "");
}

TEST(ExpectedOutputs, WrongOutputsAreWrongEverywhere) {
  ExpectedOutputs expected;
  ASSERT_TRUE(expected.Set(Bytes(0)).ok());
  EXPECT_EQ(expected.WrongOutput(0, 0), std::string(1000, '\x55'));
  expected.SetReference({{std::string(1000, '\x55')}});
  EXPECT_EQ(expected.WrongOutput(0, 0), std::string(1000, '\xaa'));
}

TEST(ExpectedOutputs, DataOfOtherSizesIsRefused) {
  ExpectedOutputs expected;
  EXPECT_EQ(expected.Set({}).code(), absl::StatusCode::kInvalidArgument);
  TrialData data = Bytes(0);
  data.cases[0].expected[0].pop_back();
  EXPECT_EQ(expected.Set(data).code(), absl::StatusCode::kInvalidArgument);
  data = Bytes(0);
  data.samples.push_back(data.samples[0]);
  EXPECT_EQ(expected.Set(data).code(), absl::StatusCode::kInvalidArgument);
  data = Bytes(0);
  data.cases[0].rules.clear();
  EXPECT_EQ(expected.Set(data).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace halyard::autotuner
