// Constants of every element type, and values that a type cannot represent.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "absl/strings/match.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_literal.h"

namespace halyard::hlo_text {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

constexpr ElementType kTypes[] = {
#define HALYARD_ELEMENT(name, hlo, mlir, bits, type_class) ElementType::name,
    HALYARD_ELEMENT_TYPES(HALYARD_ELEMENT)
#undef HALYARD_ELEMENT
};

Literal Read(const Shape& shape, absl::string_view text) {
  Cursor cursor(text, "test");
  Literal literal;
  EXPECT_TRUE(ReadLiteral(cursor, shape, &literal)) << cursor.status().message();
  EXPECT_TRUE(cursor.AtEnd()) << text;
  return literal;
}

std::string Error(ElementType type, absl::string_view text, std::vector<int64_t> dims = {}) {
  Cursor cursor(text, "test");
  Literal literal;
  EXPECT_FALSE(ReadLiteral(cursor, Shape::Array(type, dims), &literal)) << text;
  return std::string(cursor.status().message());
}

void ExpectRoundTrip(const Literal& literal) {
  std::string text = literal.ToString();
  EXPECT_TRUE(Read(literal.shape(), text).BitwiseEqual(literal)) << text;
}

// Returns whether `bits` is a NaN of a type whose text does not tell NaNs apart.
bool IsNanWithoutPayload(ElementType type, uint64_t bits) {
  return std::isnan(hlo::DecodeFloat(type, bits)) &&
         hlo::FormatOf(type).nan != hlo::FloatFormat::Nan::kIeee;
}

TEST(Literal, EveryBitPatternOfNarrowTypes) {
  for (ElementType type : kTypes) {
    int bits = hlo::BitWidth(type);
    if (bits > 16) continue;
    int64_t count = int64_t{1} << bits;
    Literal literal(Shape::Array(type, {count}));
    for (int64_t i = 0; i < count; ++i) {
      uint64_t value = hlo::IsFloat(type) && IsNanWithoutPayload(type, i) ? 0 : i;
      literal.SetBits(i, value);
    }
    ExpectRoundTrip(literal);
  }
}

TEST(Literal, RandomBitsOfWideTypes) {
  std::mt19937_64 random(4);
  for (ElementType type : kTypes) {
    if (hlo::BitWidth(type) <= 16) continue;
    Literal literal(Shape::Array(type, {20000}));
    for (std::byte& byte : literal.mutable_bytes()) byte = static_cast<std::byte>(random());
    ExpectRoundTrip(literal);
  }
}

TEST(Literal, SpecialFloats) {
  Literal value = Read(Shape::Array(ElementType::kF32, {9}),
                       "{inf, -inf, nan, -nan, nan(0x400001), -nan(0x1), 0x1.8p+1, -0, 1e-45}");
  EXPECT_EQ(value.GetBits(0), 0x7f800000u);
  EXPECT_EQ(value.GetBits(1), 0xff800000u);
  EXPECT_EQ(value.GetBits(2), 0x7fc00000u);
  EXPECT_EQ(value.GetBits(3), 0xffc00000u);
  EXPECT_EQ(value.GetBits(4), 0x7fc00001u);
  EXPECT_EQ(value.GetBits(5), 0xff800001u);
  EXPECT_EQ(value.GetFloat(6), 3);
  EXPECT_EQ(value.GetBits(7), 0x80000000u);
  EXPECT_EQ(value.GetBits(8), 1u);
  EXPECT_EQ(value.ToString(), "{inf, -inf, nan, -nan, nan(0x400001), -nan(0x1), 3, -0, 1e-45}");
  // A value too small for the type becomes zero. This is no error.
  EXPECT_EQ(Read(Shape::Scalar(ElementType::kF32), "1e-60").GetBits(0), 0u);
  EXPECT_EQ(Read(Shape::Scalar(ElementType::kF64), "-1e-400").GetBits(0), uint64_t{1} << 63);
  // The value is rounded once. Rounded to f64 first, it would be a tie, which goes to the even
  // neighbor below.
  EXPECT_EQ(Read(Shape::Scalar(ElementType::kF32), "1.000000059604644775390626").GetBits(0),
            0x3f800001u);
}

TEST(Literal, ComplexAndTuples) {
  Literal value = Read(Shape::Array(ElementType::kC64, {2}), "{(1, -inf), 2.5}");
  EXPECT_EQ(value.GetComplex(0).imag(), -INFINITY);
  EXPECT_EQ(value.GetComplex(1), std::complex<double>(2.5, 0));
  Shape pair =
      Shape::Tuple({Shape::Array(ElementType::kS32, {2}), Shape::Scalar(ElementType::kC128)});
  Literal tuple = Read(pair, "( {1, 2}, (3, 4) )");
  EXPECT_EQ(tuple.elements()[0].GetInt(1), 2);
  EXPECT_EQ(tuple.elements()[1].GetComplex(0), std::complex<double>(3, 4));
  EXPECT_EQ(tuple.ToString(), "({1, 2}, (3, 4))");
}

TEST(Literal, Predicates) {
  Literal value = Read(Shape::Array(ElementType::kPred, {2, 2}), "{ {true, 0}, {1, false} }");
  EXPECT_EQ(value.ToString(), "{ {true, false}, {true, false} }");
}

TEST(Literal, OldDumpsRepeatTheShape) {
  EXPECT_EQ(Read(Shape::Array(ElementType::kF32, {2}), "f32[2]{0} {1, 2}").GetFloat(1), 2);
}

TEST(Literal, NoElements) {
  for (absl::string_view text : {"{}", "{  }", "{ {}, {} }"}) {
    EXPECT_TRUE(Read(Shape::Array(ElementType::kF32, {2, 0}), text).bytes().empty());
  }
  EXPECT_NE(Error(ElementType::kF32, "{1}", {0}).find("which has none"), std::string::npos);
}

TEST(Literal, OutOfRange) {
  struct Case {
    ElementType type;
    absl::string_view text, message;
  };
  constexpr Case kCases[] = {
      {ElementType::kS8, "128", "128 does not fit s8"},
      {ElementType::kS8, "-129", "-129 does not fit s8"},
      {ElementType::kS4, "8", "8 does not fit s4"},
      {ElementType::kU2, "4", "4 does not fit u2"},
      {ElementType::kU32, "-1", "-1 does not fit u32"},
      {ElementType::kS64, "9223372036854775808", "does not fit s64"},
      {ElementType::kU64, "18446744073709551616", "does not fit u64"},
      {ElementType::kS32, "1.5", "expected an integer of type s32"},
      {ElementType::kS32, "", "expected an integer of type s32"},
      {ElementType::kPred, "2", "expected true or false"},
      {ElementType::kF32, "1e39", "the number is too large for f32"},
      {ElementType::kF64, "1e309", "the number is too large for f64"},
      {ElementType::kF16, "65520", "the number is too large for f16"},
      {ElementType::kF8E4M3FN, "480", "the number is too large for f8e4m3fn"},
      {ElementType::kF8E4M3FN, "inf", "f8e4m3fn has no infinity"},
      {ElementType::kF4E2M1FN, "7.5", "the number is too large for f4e2m1fn"},
      {ElementType::kF4E2M1FN, "nan", "f4e2m1fn has no NaN"},
      {ElementType::kF8E8M0FNU, "-1", "f8e8m0fnu has no negative values"},
      {ElementType::kF32, "nan(0x800000)", "payload does not fit"},
      {ElementType::kF32, "nan(7)", "payload does not fit"},
      {ElementType::kF32, "one", "expected a number of type f32"},
      {ElementType::kF32, "1..2", "expected a number of type f32"},
      {ElementType::kF32, "--1", "expected a number of type f32"},
      {ElementType::kF32, "0x", "expected a number of type f32"},
  };
  for (const Case& c : kCases) {
    EXPECT_TRUE(absl::StrContains(Error(c.type, c.text), c.message))
        << c.text << ": " << Error(c.type, c.text);
  }
}

TEST(Literal, ShapeThatPromisesMoreThanTheTextHolds) {
  // Memory grows with the text: a shape of a terabyte is an error, and allocates nothing.
  EXPECT_NE(Error(ElementType::kF64, "{1, 2}", {int64_t{1} << 37}).find("fewer values"),
            std::string::npos);
}

}  // namespace
}  // namespace halyard::hlo_text
