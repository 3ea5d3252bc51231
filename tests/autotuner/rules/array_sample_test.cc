#include "autotuner/rules/array_sample.h"

#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

TEST(ArraySample, TakesTheElementsOfItsLists) {
  const std::string whole = "abcdefghijklmnopqrstuvwx";  // [2, 3, 4] of bytes, [2, 3, 2] of pairs
  const ArraySample rows = {1, {2, 3, 4}, {{}, {0, 2}, {}}};
  EXPECT_EQ(SampleOf(whole, rows), "abcdijklmnopuvwx");
  EXPECT_EQ(rows.Elements(), 16);
  EXPECT_EQ(rows.WholeBytes(), 24);
  EXPECT_EQ(SampleOf(whole, {1, {2, 3, 4}, {{1}, {}, {3}}}), "ptx");
  EXPECT_EQ(SampleOf(whole, {2, {2, 3, 2}, {{}, {1}, {1}}}), "ghst");
  EXPECT_EQ(SampleOf(whole, {1, {2, 3, 4}, {{}, {}, {}}}), whole);
  EXPECT_EQ(SampleOf("ab", {2, {}, {}}), "ab");
}

TEST(SpreadIndices, HaveBothEndsAndNoPeriod) {
  const std::vector<int64_t> indices = SpreadIndices(4096, 64);
  ASSERT_EQ(indices.size(), 64u);
  EXPECT_EQ(indices.front(), 0);
  EXPECT_EQ(indices.back(), 4095);
  std::vector<int> of_lane(8);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (i > 0) EXPECT_GT(indices[i], indices[i - 1]);
    if (i > 0 && i < 63) EXPECT_EQ(indices[i] / 64, static_cast<int64_t>(i));
    ++of_lane[static_cast<size_t>(indices[i] % 8)];
  }
  for (int count : of_lane) EXPECT_GT(count, 2);
  EXPECT_EQ(SpreadIndices(9, 8).size(), 8u);
}

TEST(SampleText, IsReadBackAndChecked) {
  const ArraySample sample = {4, {20, 3, 7}, {{0, 5, 19}, {}, {6}}};
  EXPECT_EQ(SampleText(sample), "4 3 20 3 0 5 19 3 0 7 1 6");
  ArraySample back;
  ASSERT_TRUE(ParseSample(SampleText(sample), &back));
  EXPECT_EQ(back.element_bytes, 4);
  EXPECT_EQ(back.dims, sample.dims);
  EXPECT_EQ(back.indices, sample.indices);
  ASSERT_TRUE(ParseSample("8 0", &back));
  EXPECT_EQ(back.WholeBytes(), 8);
  for (const char* bad : {"", "4", "0 0", "4 1 20", "4 1 20 1", "4 1 20 1 20", "4 1 20 2 5 5",
                          "4 1 20 1 -1", "4 1 -1 0", "4 1 20 21", "4 1 20 1 3 9", "4 1 20 1 x",
                          "4 2 99999999999 0 99999999999 0", "17 1 3 0"}) {
    EXPECT_FALSE(ParseSample(bad, &back)) << bad;
  }
}

}  // namespace
}  // namespace halyard::autotuner
