#include "frontend/hlo/values/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace halyard::hlo {
namespace {

std::vector<ElementType> AllTypes() {
  std::vector<ElementType> types;
  for (int t = 0; t <= static_cast<int>(ElementType::kC128); ++t) {
    types.push_back(static_cast<ElementType>(t));
  }
  return types;
}

TEST(ElementTypeTest, NamesRoundTrip) {
  for (ElementType type : AllTypes()) {
    EXPECT_EQ(ElementTypeFromHloName(HloName(type)), type);
    EXPECT_EQ(ElementTypeFromMlirName(MlirName(type)), type);
    EXPECT_EQ(ElementTypeFromNumpyName(NumpyName(type)), type);
  }
  EXPECT_EQ(ElementTypeFromMlirName("si32"), ElementType::kS32);
  EXPECT_EQ(ElementTypeFromMlirName("sui32"), std::nullopt);
  EXPECT_EQ(ElementTypeFromHloName("f8"), std::nullopt);
  EXPECT_EQ(NumpyName(ElementType::kF8E4M3B11FNUZ), "float8_e4m3b11fnuz");
  EXPECT_EQ(NumpyName(ElementType::kC128), "complex128");
}

TEST(ElementTypeTest, Widths) {
  EXPECT_EQ(StorageBytes(ElementType::kPred), 1);
  EXPECT_EQ(StorageBytes(ElementType::kS2), 1);
  EXPECT_EQ(StorageBytes(ElementType::kF6E3M2FN), 1);
  EXPECT_EQ(StorageBytes(ElementType::kBF16), 2);
  EXPECT_EQ(StorageBytes(ElementType::kC128), 16);
  EXPECT_EQ(PartType(ElementType::kC64), ElementType::kF32);
  EXPECT_EQ(PartType(ElementType::kS8), ElementType::kS8);
}

// For each type of at most 16 bits, every code must be the encoding of the value that it decodes
// to.
TEST(FloatFormatTest, AllCodesRoundTrip) {
  for (ElementType type : AllTypes()) {
    if (!IsFloat(type) || BitWidth(type) > 16) continue;
    for (uint64_t code = 0; code < uint64_t{1} << BitWidth(type); ++code) {
      double value = DecodeFloat(type, code);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(DecodeFloat(type, EncodeFloat(type, value)))) << HloName(type);
      } else {
        ASSERT_EQ(EncodeFloat(type, value), code) << HloName(type) << " " << value;
      }
    }
  }
}

// A value halfway between two neighbors rounds to the even one. f8E8M0FNU has no even significand,
// so it rounds to the larger one.
TEST(FloatFormatTest, HalfwayGoesToEven) {
  for (ElementType type : AllTypes()) {
    if (!IsFloat(type) || BitWidth(type) > 16) continue;
    FloatFormat f = FormatOf(type);
    uint64_t count = uint64_t{1} << (f.exponent_bits + f.mantissa_bits);
    for (uint64_t code = 0; code + 1 < count; ++code) {
      double low = DecodeFloat(type, code), high = DecodeFloat(type, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      double middle = low + (high - low) / 2;
      const uint64_t up = f.mantissa_bits == 0 ? 1 : code & 1;
      ASSERT_EQ(EncodeFloat(type, middle), code + up) << HloName(type) << " " << middle;
      ASSERT_EQ(EncodeFloat(type, std::nextafter(middle, low)), code);
      ASSERT_EQ(EncodeFloat(type, std::nextafter(middle, high)), code + 1);
    }
  }
}

struct Spot {
  ElementType type;
  double max;
  double least;  // positive
  double above;  // result for a value far above max
};

TEST(FloatFormatTest, LimitsOfEachType) {
  const double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  const Spot spots[] = {
      {ElementType::kF4E2M1FN, 6, 0.5, 6},
      {ElementType::kF6E2M3FN, 7.5, 0.125, 7.5},
      {ElementType::kF6E3M2FN, 28, 0.0625, 28},
      {ElementType::kF8E3M4, 15.5, 0.015625, inf},
      {ElementType::kF8E4M3, 240, 0.001953125, inf},
      {ElementType::kF8E4M3FN, 448, 0.001953125, nan},
      {ElementType::kF8E4M3FNUZ, 240, 0.0009765625, nan},
      {ElementType::kF8E4M3B11FNUZ, 30, 0.0001220703125, nan},
      {ElementType::kF8E5M2, 57344, std::ldexp(1, -16), inf},
      {ElementType::kF8E5M2FNUZ, 57344, std::ldexp(1, -17), nan},
      {ElementType::kF8E8M0FNU, std::ldexp(1, 127), std::ldexp(1, -127), nan},
      {ElementType::kBF16, 3.3895313892515355e38, std::ldexp(1, -133), inf},
      {ElementType::kF16, 65504, std::ldexp(1, -24), inf},
  };
  for (const Spot& spot : spots) {
    double max = 0, least = inf;
    for (uint64_t code = 0; code < uint64_t{1} << BitWidth(spot.type); ++code) {
      double value = DecodeFloat(spot.type, code);
      if (std::isfinite(value) && value > max) max = value;
      if (value > 0 && value < least) least = value;
    }
    EXPECT_EQ(max, spot.max) << HloName(spot.type);
    EXPECT_EQ(least, spot.least) << HloName(spot.type);
    double above = DecodeFloat(spot.type, EncodeFloat(spot.type, 1e300));
    EXPECT_TRUE(std::isnan(spot.above) ? std::isnan(above) : above == spot.above)
        << HloName(spot.type) << " " << above;
  }
}

TEST(FloatFormatTest, SpecialCodes) {
  EXPECT_EQ(EncodeFloat(ElementType::kF8E4M3FNUZ, NAN), 0x80u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E4M3FNUZ, -0.0), 0u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E4M3FNUZ, -1e-9), 0u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E4M3FN, NAN), 0x7fu);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E4M3FN, -NAN), 0xffu);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E5M2, -0.0), 0x80u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E5M2, HUGE_VAL), 0x7cu);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, -1.0), 0xffu);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, 1.0), 127u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, 0.0), 0u);
  // Ties in a type without an even significand round to the larger power of two.
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, 3.0), 129u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, 1.5), 128u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, std::nextafter(3.0, 0)), 128u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, std::ldexp(1.5, -127)), 1u);
  EXPECT_EQ(EncodeFloat(ElementType::kF8E8M0FNU, std::ldexp(1.5, 127)), 0xffu);
  EXPECT_EQ(EncodeFloat(ElementType::kF16, 65519.0), 0x7bffu);
  EXPECT_EQ(EncodeFloat(ElementType::kF16, 65520.0), 0x7c00u);
  EXPECT_EQ(EncodeFloat(ElementType::kF32, 0.1), 0x3dcccccdu);
}

// Compares the general conversion to f16 with the compiler's _Float16.
TEST(FloatFormatTest, F16AgreesWithTheCompiler) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-26, 17), mantissa(1, 2);
  for (int i = 0; i < 100000; ++i) {
    double value = std::ldexp(mantissa(random), static_cast<int>(exponent(random)));
    _Float16 half = static_cast<_Float16>(value);
    ASSERT_EQ(DecodeFloat(ElementType::kF16, EncodeFloat(ElementType::kF16, value)),
              static_cast<double>(half))
        << value;
  }
}

}  // namespace
}  // namespace halyard::hlo
