#include <cmath>

#include "tests/frontend/hlo/elementwise_graph.h"
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

std::string Cmp(Literal a, Literal b, const char* direction, const char* type = "") {
  AttrMap attrs = Attrs({{Attr::kDirection, std::string(direction)}});
  if (*type) attrs.Set(Attr::kType, std::string(type));
  return Text(Opcode::kCompare, {a, b}, attrs);
}

TEST(CompareOpTest, Floats) {
  EXPECT_EQ(Cmp(F32({2}, {1.0, 3.0}), F32({2}, {1.1, 2.9}), "LT", "FLOAT"), "{true, false}");
  Literal a = F32({3}, {NAN, -0.0, 1}), b = F32({3}, {NAN, 0.0, 1});
  EXPECT_EQ(Cmp(a, b, "EQ"), "{false, true, true}");
  EXPECT_EQ(Cmp(a, b, "NE"), "{true, false, false}");
  EXPECT_EQ(Cmp(a, b, "GE"), "{false, true, true}");
  EXPECT_EQ(Cmp(a, b, "LE"), "{false, true, true}");
  EXPECT_EQ(Cmp(a, b, "GT"), "{false, false, false}");
  EXPECT_EQ(Cmp(a, b, "LT"), "{false, false, false}");
}

TEST(CompareOpTest, TotalOrder) {
  for (ElementType type :
       {ElementType::kF64, ElementType::kF32, ElementType::kBF16, ElementType::kF8E4M3}) {
    Literal low = Array(type, {7}, {-NAN, -kInf, -1, -0.0, 0.0, 1, kInf});
    Literal high = Array(type, {7}, {-kInf, -1, -0.0, 0.0, 1, kInf, NAN});
    EXPECT_EQ(Cmp(low, high, "LT", "TOTALORDER"), "{true, true, true, true, true, true, true}")
        << HloName(type);
    EXPECT_EQ(Cmp(low, high, "GE", "TOTALORDER"),
              "{false, false, false, false, false, false, false}");
    EXPECT_EQ(Cmp(low, low, "EQ", "TOTALORDER"), "{true, true, true, true, true, true, true}");
  }
}

TEST(CompareOpTest, IntegersAndComplex) {
  EXPECT_EQ(Cmp(S32({2}, {-1, 2}), S32({2}, {1, 2}), "LT", "SIGNED"), "{true, false}");
  Literal big(Shape::Array(ElementType::kU64, {1}));
  big.SetInt(0, -1);
  EXPECT_EQ(Cmp(big, Array(ElementType::kU64, {1}, {1}), "GT", "UNSIGNED"), "{true}");
  EXPECT_EQ(Cmp(Pred({2}, {0, 1}), Pred({2}, {1, 1}), "LT"), "{true, false}");
  EXPECT_EQ(Cmp(Complex(ElementType::kC64, {{1, 2}, {1, 2}}),
                Complex(ElementType::kC64, {{1, 3}, {0, 9}}), "LT"),
            "{true, false}");
  EXPECT_EQ(Cmp(S64({1}, {(int64_t{1} << 60) + 1}), S64({1}, {int64_t{1} << 60}), "GT"), "{true}");
}

TEST(SelectTest, Examples) {
  Literal pred = Pred({2, 2}, {0, 1, 1, 0});
  Literal a = S32({2, 2}, {1, 2, 3, 4}), b = S32({2, 2}, {5, 6, 7, 8});
  EXPECT_EQ(Text(Opcode::kSelect, {pred, a, b}), "{ {5, 2}, {3, 8} }");
  EXPECT_EQ(Text(Opcode::kSelect,
                 {Pred({4}, {1, 0, 0, 1}), S32({4}, {1, 2, 3, 4}), S32({4}, {100, 200, 300, 400})}),
            "{1, 200, 300, 4}");
  EXPECT_EQ(Text(Opcode::kSelect, {Pred({}, {1}), a, b}), "{ {1, 2}, {3, 4} }");
  EXPECT_EQ(Text(Opcode::kSelect, {Pred({2}, {1, 0}), Complex(ElementType::kC128, {{1, 2}, {3, 4}}),
                                   Complex(ElementType::kC128, {{5, 6}, {7, 8}})}),
            "{(1, 2), (7, 8)}");
}

TEST(ClampTest, Examples) {
  EXPECT_EQ(
      Text(Opcode::kClamp, {S32({3}, {5, 10, 15}), S32({3}, {3, 13, 23}), S32({3}, {10, 15, 20})}),
      "{5, 13, 20}");
  EXPECT_EQ(Text(Opcode::kClamp, {S32({}, {0}), S32({3}, {-1, 5, 9}), S32({}, {6})}), "{0, 5, 6}");
  EXPECT_EQ(Text(Opcode::kClamp, {F32({}, {3}), F32({2}, {NAN, 2}), F32({}, {1})}), "{nan, 1}");
  EXPECT_EQ(Text(Opcode::kClamp, {Pred({}, {0}), Pred({2}, {0, 1}), Pred({}, {1})}),
            "{false, true}");
}

std::string Convert(Literal x, ElementType to) {
  return Text(Opcode::kConvert, {x}, {}, x.shape().WithElementType(to));
}

TEST(ConvertTest, Integers) {
  EXPECT_EQ(Convert(S32({3}, {0, 1, 2}), ElementType::kF32), "{0, 1, 2}");
  EXPECT_EQ(Convert(S32({3}, {300, -1, 128}), ElementType::kS8), "{44, -1, -128}");
  EXPECT_EQ(Convert(S32({2}, {-1, 5}), ElementType::kU4), "{15, 5}");
  EXPECT_EQ(Convert(S32({3}, {0, 2, 256}), ElementType::kPred), "{false, true, true}");
  EXPECT_EQ(Convert(Pred({2}, {0, 1}), ElementType::kF16), "{0, 1}");
  EXPECT_EQ(Convert(S64({3}, {-1, 0, 1}), ElementType::kC128), "{(-1, 0), (0, 0), (1, 0)}");
  // The value is just above the middle between two f32 values. Rounding to f64 first would give a
  // tie.
  int64_t tricky = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  EXPECT_EQ(Eval(Opcode::kConvert, {S64({1}, {tricky})}, {}, Shape::Array(ElementType::kF32, {1}))
                .GetFloat(0),
            std::ldexp(1, 60) + std::ldexp(1, 37));
  Literal max(Shape::Array(ElementType::kU64, {1}));
  max.SetInt(0, -1);
  EXPECT_EQ(Convert(max, ElementType::kF64), "{18446744073709551616}");
}

TEST(ConvertTest, FloatsToIntegersSaturate) {
  Literal x = F64({7}, {-1.9, 1.9, 300, -300, NAN, kInf, -kInf});
  EXPECT_EQ(Convert(x, ElementType::kS8), "{-1, 1, 127, -128, 0, 127, -128}");
  EXPECT_EQ(Convert(x, ElementType::kU8), "{0, 1, 255, 0, 0, 255, 0}");
  EXPECT_EQ(Convert(F64({3}, {1e30, -1e30, 9.3e18}), ElementType::kS64),
            "{9223372036854775807, -9223372036854775808, 9223372036854775807}");
  EXPECT_EQ(Convert(F64({2}, {1e30, 1.8e19}), ElementType::kU64),
            "{18446744073709551615, 18000000000000000000}");
  EXPECT_EQ(Convert(F32({2}, {7.9, -9}), ElementType::kS4), "{7, -8}");
  EXPECT_EQ(Convert(F32({4}, {0.5, 0, -0.0, NAN}), ElementType::kPred),
            "{true, false, false, true}");
}

TEST(ConvertTest, FloatsAndComplex) {
  EXPECT_EQ(Convert(F64({3}, {1e300, 1 + 1e-9, 65520}), ElementType::kF32), "{inf, 1, 65520}");
  EXPECT_EQ(Convert(F64({2}, {65519, 65520}), ElementType::kF16), "{6.55e+04, inf}");
  EXPECT_EQ(Convert(F32({2}, {449, 1000}), ElementType::kF8E4M3FN), "{4.5e+02, nan}");
  EXPECT_EQ(Convert(Complex(ElementType::kC64, {{1.5, 9}, {0, 3}}), ElementType::kS32), "{1, 0}");
  EXPECT_EQ(Convert(Complex(ElementType::kC64, {{1.5, 9}, {0, 3}}), ElementType::kPred),
            "{true, false}");
  EXPECT_EQ(Convert(F32({1}, {2.5}), ElementType::kC64), "{(2.5, 0)}");
  EXPECT_EQ(Convert(Complex(ElementType::kC128, {{1e300, 1}}), ElementType::kC64), "{(inf, 1)}");
}

TEST(BitcastConvertTest, WidthsBecomeADimension) {
  Literal x = FromBits(ElementType::kF64, {0x0123456789ABCDEF});
  Literal halves = Eval(Opcode::kBitcastConvert, {x}, {}, Shape::Array(ElementType::kF16, {1, 4}));
  EXPECT_EQ(halves.GetBits(0), 0xCDEFu);
  EXPECT_EQ(halves.GetBits(3), 0x0123u);
  Literal back = Eval(Opcode::kBitcastConvert, {halves}, {}, Shape::Array(ElementType::kF64, {1}));
  EXPECT_TRUE(back.BitwiseEqual(x));
  Literal byte = FromBits(ElementType::kU8, {0xA7});
  EXPECT_EQ(Text(Opcode::kBitcastConvert, {byte}, {}, Shape::Array(ElementType::kS4, {1, 2})),
            "{ {7, -6} }");
  EXPECT_EQ(Text(Opcode::kBitcastConvert, {Array(ElementType::kU2, {4}, {3, 1, 2, 2})}, {},
                 Shape::Array(ElementType::kU8, {})),
            "167");
  EXPECT_EQ(
      Text(Opcode::kBitcastConvert, {F32({1}, {1})}, {}, Shape::Array(ElementType::kS32, {1})),
      "{1065353216}");
}

}  // namespace
}  // namespace halyard::hlo
