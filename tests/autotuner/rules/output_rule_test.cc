#include "autotuner/rules/output_rule.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

using hlo::ElementType;
using ::testing::HasSubstr;

template <typename T>
std::string Bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class CompareOutputTest : public ::testing::Test {
 protected:
  std::string Floats(const std::vector<float>& got, const std::vector<float>& want,
                     const OutputRule& rule) {
    return CompareOutput(Bytes(got), Bytes(want), rule, &difference_);
  }
  double difference_ = 0;
};

TEST_F(CompareOutputTest, FloatsWithinTheToleranceOfTheLargest) {
  const OutputRule rule{.type = ElementType::kF32, .of_largest = 1e-3, .scale = 100};
  EXPECT_EQ(Floats({100, 0.05f}, {100, 0}, rule), "");
  EXPECT_NEAR(difference_, 5e-4, 1e-6);
  EXPECT_THAT(Floats({100, 0.2f}, {100, 0}, rule), HasSubstr("element 1 is 0.2, not 0"));
  EXPECT_NE(Floats({1, 2}, {1}, rule), "");
  // An element that is larger than the scale only excuses itself.
  EXPECT_EQ(Floats({1e10f + 2e6f, 0}, {1e10f, 0}, rule), "");
  EXPECT_NE(Floats({1e10f, 0.2f}, {1e10f, 0}, rule), "");
}

TEST_F(CompareOutputTest, SpecialValuesCountForThemselves) {
  const float nan = std::nanf(""), inf = INFINITY;
  OutputRule rule{.type = ElementType::kF32, .of_largest = 1, .of_element = 1, .scale = 1};
  EXPECT_EQ(Floats({nan, inf, -nan}, {nan, inf, nan}, rule), "");
  EXPECT_NE(Floats({1}, {nan}, rule), "");
  EXPECT_NE(Floats({nan}, {1}, rule), "");
  EXPECT_NE(Floats({-inf}, {inf}, rule), "");
  EXPECT_NE(Floats({3e38f}, {inf}, rule), "");
  EXPECT_NE(Floats({inf}, {3e38f}, rule), "");
  EXPECT_EQ(Floats({-0.0f}, {0}, rule), "");
  rule.nan_for_number = true;
  EXPECT_EQ(Floats({nan}, {1}, rule), "");
  EXPECT_EQ(Floats({nan}, {inf}, rule), "");
  EXPECT_NE(Floats({1}, {nan}, rule), "") << "a lost NaN is wrong all the same";
}

// A kernel whose weights underflow may do this to an infinity, and no more.
TEST_F(CompareOutputTest, NaNAndInfinitiesForEachOther) {
  const float nan = std::nanf(""), inf = INFINITY;
  const OutputRule rule{.type = ElementType::kF32, .scale = 1, .nan_for_infinity = true};
  EXPECT_EQ(Floats({nan, nan, inf, -inf}, {inf, -inf, nan, nan}, rule), "");
  EXPECT_NE(Floats({inf}, {-inf}, rule), "");
  EXPECT_NE(Floats({nan}, {1}, rule), "");
  EXPECT_NE(Floats({inf}, {1}, rule), "");
  EXPECT_NE(Floats({1}, {nan}, rule), "");
  EXPECT_NE(Floats({1}, {inf}, rule), "");
}

TEST_F(CompareOutputTest, SignsOfZero) {
  const OutputRule rule{.type = ElementType::kF32, .signed_zeros = true};
  EXPECT_THAT(Floats({0}, {-0.0f}, rule), HasSubstr("is 0, not -0"));
  EXPECT_EQ(Floats({-0.0f}, {-0.0f}, rule), "");
}

TEST_F(CompareOutputTest, NarrowTypesByTheirUnits) {
  struct {
    ElementType type;
    uint16_t want, near, far;
  } const kCases[] = {{ElementType::kF16, 0x3c00, 0x3c01, 0x3c02},
                      {ElementType::kBF16, 0x3f80, 0x3f81, 0x3f82},
                      {ElementType::kF8E4M3FN, 0x38, 0x39, 0x3a},
                      {ElementType::kF8E5M2, 0x3c, 0x3d, 0x3e}};
  for (const auto& c : kCases) {
    const OutputRule rule{
        .type = c.type,
        .of_element = std::ldexp(1.0, -hlo::FormatOf(c.type).mantissa_bits),
    };
    const size_t width = static_cast<size_t>(hlo::StorageBytes(c.type));
    auto bytes = [width](const uint16_t& bits) {
      return std::string(reinterpret_cast<const char*>(&bits), width);
    };
    EXPECT_EQ(CompareOutput(bytes(c.near), bytes(c.want), rule, &difference_), "");
    EXPECT_NE(CompareOutput(bytes(c.far), bytes(c.want), rule, &difference_), "");
    const OutputRule exact{.type = c.type};
    EXPECT_NE(CompareOutput(bytes(c.near), bytes(c.want), exact, &difference_), "");
  }
}

TEST_F(CompareOutputTest, IntegersBitForBit) {
  OutputRule rule{.type = ElementType::kS32};
  const std::string want = Bytes<int32_t>({1, 2, 0x10000}), got = Bytes<int32_t>({1, 2, 0x20001});
  EXPECT_EQ(CompareOutput(want, want, rule, &difference_), "");
  EXPECT_THAT(CompareOutput(got, want, rule, &difference_),
              HasSubstr("element 2 has the bits 131073, not 65536; 1 elements differ"));
  rule.may_differ = 1;  // counts elements, not bytes
  EXPECT_EQ(CompareOutput(got, want, rule, &difference_), "");
}

TEST(RuleBetween, TwoRightOutputsMayBeTwiceAsFarApart) {
  OutputRule rule = {.type = ElementType::kF32, .of_largest = 0.01, .scale = 100};
  rule.nan_for_number = true;
  const OutputRule between = RuleBetween(rule, 100);
  auto bytes = [](float value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const float nan = std::nanf("");
  double difference = 0;
  EXPECT_NE(CompareOutput(bytes(11.5), bytes(10), rule, &difference), "");
  EXPECT_EQ(CompareOutput(bytes(11.5), bytes(10), between, &difference), "");
  EXPECT_NE(CompareOutput(bytes(12.5), bytes(10), between, &difference), "");
  EXPECT_NE(CompareOutput(bytes(10), bytes(nan), rule, &difference), "");
  EXPECT_EQ(CompareOutput(bytes(10), bytes(nan), between, &difference), "");
  EXPECT_EQ(CompareOutput(bytes(nan), bytes(10), between, &difference), "");
  rule.nan_for_number = false;
  EXPECT_NE(CompareOutput(bytes(10), bytes(nan), RuleBetween(rule, 100), &difference), "");
}

}  // namespace
}  // namespace halyard::autotuner
