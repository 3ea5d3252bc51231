// Elementwise ops: the examples in the documentation of StableHLO and XLA, and cases that these
// leave open.
#include <bit>
#include <cmath>

#include "tests/frontend/hlo/elementwise_graph.h"
#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

std::string Unary(Opcode op, Literal x) { return Text(op, {x}); }

TEST(UnaryTest, Rounding) {
  Literal x = F32({5}, {-0.8166, -0.2530, 0.2530, 0.8166, 2});
  EXPECT_EQ(Unary(Opcode::kCeil, x), "{-0, -0, 1, 1, 2}");
  EXPECT_EQ(Unary(Opcode::kFloor, x), "{-1, -1, 0, 0, 2}");
  Literal y = F64({5}, {-2.5, 0.4, 0.5, 0.6, 2.5});
  EXPECT_EQ(Unary(Opcode::kRoundNearestAfz, y), "{-3, 0, 1, 1, 3}");
  EXPECT_EQ(Unary(Opcode::kRoundNearestEven, y), "{-2, 0, 0, 1, 2}");
  EXPECT_EQ(Unary(Opcode::kRoundNearestEven, F32({1}, {-0.4})), "{-0}");
}

TEST(UnaryTest, AbsNegateSign) {
  EXPECT_EQ(Unary(Opcode::kAbs, S32({3}, {-2, 0, 2})), "{2, 0, 2}");
  EXPECT_EQ(Unary(Opcode::kAbs, Array(ElementType::kS8, {1}, {-128})), "{-128}");
  EXPECT_EQ(Unary(Opcode::kAbs, F32({2}, {-0.0, -kInf})), "{0, inf}");
  EXPECT_EQ(Unary(Opcode::kAbs, Complex(ElementType::kC64, {{3, -4}})), "{5}");
  EXPECT_EQ(Unary(Opcode::kNegate, S32({2}, {0, -2})), "{0, 2}");
  EXPECT_EQ(Unary(Opcode::kNegate, Array(ElementType::kU8, {2}, {1, 0})), "{255, 0}");
  EXPECT_EQ(Unary(Opcode::kNegate, F32({2}, {0.0, -1})), "{-0, 1}");
  EXPECT_EQ(Unary(Opcode::kNegate, Complex(ElementType::kC64, {{2.5, 0}})), "{(-2.5, -0)}");
  EXPECT_EQ(Unary(Opcode::kSign, S32({3}, {-7, 0, 7})), "{-1, 0, 1}");
  EXPECT_EQ(Unary(Opcode::kSign, Complex(ElementType::kC128, {{3, 4}, {0, 0}, {NAN, 1}})),
            "{(0.6, 0.8), (0, 0), (nan, nan)}");
}

TEST(UnaryTest, SignKeepsNanAndZeros) {
  uint64_t nan = 0x7FFFFFFFFFFFFFFF;
  Literal x =
      FromBits(ElementType::kF64, {nan, std::bit_cast<uint64_t>(-1.0),
                                   std::bit_cast<uint64_t>(-0.0), 0, std::bit_cast<uint64_t>(1.0)});
  EXPECT_TRUE(Eval(Opcode::kSign, {x}).BitwiseEqual(x));
}

TEST(UnaryTest, FloatFunctions) {
  EXPECT_EQ(Unary(Opcode::kCbrt, F32({5}, {0, 1, 8, 27, -8})), "{0, 1, 2, 3, -2}");
  EXPECT_EQ(Unary(Opcode::kExp, F64({4}, {0, 1, 2, 3})),
            "{1, 2.718281828459045, 7.38905609893065, 20.085536923187668}");
  EXPECT_EQ(Unary(Opcode::kExpm1, F32({2}, {0, 1})), "{0, 1.7182819}");
  EXPECT_EQ(Unary(Opcode::kExpm1, F64({4}, {1e-20, -0.0, -kInf, 1000})), "{1e-20, -0, -1, inf}");
  EXPECT_EQ(Unary(Opcode::kLog, F64({5}, {1, 2, 0, -1, kInf})),
            "{0, 0.6931471805599453, -inf, -nan, inf}");
  EXPECT_EQ(Unary(Opcode::kLog1p, F32({5}, {0, -0.999, 7, 6.38905621, 15})),
            "{0, -6.9077682, 2.0794415, 2, 2.7725887}");
  EXPECT_EQ(Unary(Opcode::kLogistic, F32({4}, {0, 1, 2, 3})),
            "{0.5, 0.7310586, 0.8807971, 0.95257413}");
  EXPECT_EQ(Unary(Opcode::kLogistic, F64({2}, {-1000, 1000})), "{0, 1}");
  EXPECT_EQ(Unary(Opcode::kTanh, F32({3}, {-1, 0, 1})), "{-0.7615942, 0, 0.7615942}");
  EXPECT_EQ(Unary(Opcode::kSqrt, F32({5}, {0, 1, 4, 9, -0.0})), "{0, 1, 2, 3, -0}");
  EXPECT_EQ(Unary(Opcode::kRsqrt, F32({4}, {1, 4, 9, 25})), "{1, 0.5, 0.33333334, 0.2}");
  EXPECT_EQ(Unary(Opcode::kErf, F64({3}, {0, 1, -kInf})), "{0, 0.8427007929497149, -1}");
  Literal angles = F64({4}, {0, M_PI / 2, M_PI, 3 * M_PI / 2});
  Literal sine = Eval(Opcode::kSin, {angles}), cosine = Eval(Opcode::kCos, {angles});
  EXPECT_TRUE(Compare(sine, F64({4}, {0, 1, 0, -1}), 0, 1e-12)->within);
  EXPECT_TRUE(Compare(cosine, F64({4}, {1, 0, -1, 0}), 0, 1e-12)->within);
  Literal tangent = Eval(Opcode::kTan, {angles});
  EXPECT_TRUE(Compare(tangent, F64({4}, {0, 1.63312e16, 0, 5.44375e15}), 1e-5, 1e-12)->within);
}

TEST(UnaryTest, F32IsRoundedOnceFromDouble) {
  // exp(x) is computed in f64 and rounded, which gives the f32 nearest to the exact value.
  Literal x = F32({1}, {1});
  EXPECT_EQ(Eval(Opcode::kExp, {x}).GetFloat(0), static_cast<float>(std::exp(1.0)));
}

TEST(UnaryTest, Complex) {
  auto near = [](Opcode op, std::complex<double> x, std::complex<double> want) {
    Literal got = Eval(op, {Complex(ElementType::kC128, {x})});
    EXPECT_LT(std::abs(got.GetComplex(0) - want), 1e-12) << RowOf(op).hlo_name;
  };
  using C = std::complex<double>;
  C x(0.3, -0.7);
  near(Opcode::kExp, x, std::exp(0.3) * C(std::cos(0.7), -std::sin(0.7)));
  near(Opcode::kExpm1, x, std::exp(x) - 1.0);
  near(Opcode::kExpm1, C(-40, 2), C(-1, 0));
  near(Opcode::kLog, x, C(std::log(std::hypot(0.3, 0.7)), std::atan2(-0.7, 0.3)));
  near(Opcode::kLog1p, x, C(std::log(std::hypot(1.3, 0.7)), std::atan2(-0.7, 1.3)));
  near(Opcode::kLogistic, x, 1.0 / (1.0 + std::exp(-x)));
  near(Opcode::kSqrt, C(-4, 0), C(0, 2));
  near(Opcode::kRsqrt, C(-4, 0), C(0, -0.5));
  near(Opcode::kCbrt, C(-8, 0), C(1, std::sqrt(3.0)));
  near(Opcode::kTanh, x, std::sinh(x) / std::cosh(x));
  near(Opcode::kTan, x, std::sin(x) / std::cos(x));
  near(Opcode::kSin, x, (std::exp(C(0, 1) * x) - std::exp(C(0, -1) * x)) / C(0, 2));
  near(Opcode::kCos, x, (std::exp(C(0, 1) * x) + std::exp(C(0, -1) * x)) / 2.0);
}

TEST(UnaryTest, ComplexExpm1NearZero) {
  Literal got =
      Eval(Opcode::kExpm1, {Complex(ElementType::kC128, {{1e-20, 2e-20}, {1e-20, 1e-10}})});
  EXPECT_EQ(got.GetComplex(0), std::complex<double>(1e-20, 2e-20));
  EXPECT_DOUBLE_EQ(got.GetComplex(1).real(), 5e-21);  // 1e-20 - 1e-20 / 2
}

TEST(UnaryTest, Bits) {
  EXPECT_EQ(Unary(Opcode::kNot, S32({4}, {1, 2, 3, 4})), "{-2, -3, -4, -5}");
  EXPECT_EQ(Unary(Opcode::kNot, Pred({2}, {1, 0})), "{false, true}");
  EXPECT_EQ(Unary(Opcode::kNot, Array(ElementType::kU4, {1}, {5})), "{10}");
  EXPECT_EQ(Unary(Opcode::kClz, S64({4}, {0, 1, 128, -1})), "{64, 63, 56, 0}");
  EXPECT_EQ(Unary(Opcode::kClz, Array(ElementType::kS4, {3}, {0, 1, -1})), "{4, 3, 0}");
  EXPECT_EQ(Unary(Opcode::kPopcnt, S64({4}, {0, 1, 2, 127})), "{0, 1, 1, 7}");
  EXPECT_EQ(Unary(Opcode::kPopcnt, Array(ElementType::kS8, {1}, {-1})), "{8}");
}

TEST(UnaryTest, FiniteRealImag) {
  EXPECT_EQ(Unary(Opcode::kIsFinite, F64({7}, {-kInf, kInf, NAN, -10, -0.0, 0, 10})),
            "{false, false, false, true, true, true, true}");
  EXPECT_EQ(Unary(Opcode::kImag, Complex(ElementType::kC64, {{1, 2}, {3, 4}})), "{2, 4}");
  EXPECT_EQ(Unary(Opcode::kReal, Complex(ElementType::kC64, {{1, 2}, {3, 4}})), "{1, 3}");
  EXPECT_EQ(Unary(Opcode::kImag, F32({2}, {5, NAN})), "{0, 0}");
  EXPECT_EQ(Unary(Opcode::kReal, F32({1}, {5})), "{5}");
}

TEST(UnaryTest, ReducePrecision) {
  auto e5m10 = Attrs({{Attr::kExponentBits, int64_t{5}}, {Attr::kMantissaBits, int64_t{10}}});
  uint64_t nan = 0x7FFFFFFFFFFFFFFF;
  Literal x = FromBits(ElementType::kF64,
                       {std::bit_cast<uint64_t>(kInf), nan, 1, 0, std::bit_cast<uint64_t>(65519.0),
                        std::bit_cast<uint64_t>(65520.0), std::bit_cast<uint64_t>(-65520.0)});
  Literal result = Eval(Opcode::kReducePrecision, {x}, e5m10);
  EXPECT_EQ(result.GetBits(0), 0x7FF0000000000000u);
  EXPECT_EQ(result.GetBits(1), nan);
  EXPECT_EQ(result.GetBits(2), 0u);
  EXPECT_EQ(result.GetBits(3), 0u);
  EXPECT_EQ(result.GetFloat(4), 65504.0);
  EXPECT_EQ(result.GetBits(5), 0x7FF0000000000000u);
  EXPECT_EQ(result.GetFloat(6), -kInf);
  auto full = Attrs({{Attr::kExponentBits, int64_t{8}}, {Attr::kMantissaBits, int64_t{23}}});
  Literal denormal = FromBits(ElementType::kF32, {1, 0x80000001});
  EXPECT_TRUE(Eval(Opcode::kReducePrecision, {denormal}, full).BitwiseEqual(denormal));
  auto flush = Attrs({{Attr::kExponentBits, int64_t{5}}, {Attr::kMantissaBits, int64_t{23}}});
  EXPECT_EQ(Text(Opcode::kReducePrecision, {denormal}, flush), "{0, -0}");
}

std::string Binary(Opcode op, Literal a, Literal b) { return Text(op, {a, b}); }

TEST(BinaryTest, Arithmetic) {
  Literal a = S32({2, 2}, {1, 2, 3, 4}), b = S32({2, 2}, {5, 6, 7, 8});
  EXPECT_EQ(Binary(Opcode::kAdd, a, b), "{ {6, 8}, {10, 12} }");
  EXPECT_EQ(Binary(Opcode::kSubtract, S32({2, 2}, {6, 8, 10, 12}), b), "{ {1, 2}, {3, 4} }");
  EXPECT_EQ(Binary(Opcode::kMultiply, a, b), "{ {5, 12}, {21, 32} }");
  EXPECT_EQ(
      Binary(Opcode::kAdd, Array(ElementType::kS8, {1}, {127}), Array(ElementType::kS8, {1}, {1})),
      "{-128}");
  EXPECT_EQ(Binary(Opcode::kMultiply, Array(ElementType::kU4, {1}, {15}),
                   Array(ElementType::kU4, {1}, {15})),
            "{1}");
  EXPECT_EQ(Binary(Opcode::kDivide, F32({4}, {17.1, -17.1, 17.1, -17.1}), F32({4}, {3, 3, -3, -3})),
            "{5.7000003, -5.7000003, -5.7000003, 5.7000003}");
  EXPECT_EQ(Binary(Opcode::kDivide, F32({3}, {1, -1, 0}), F32({3}, {0, 0, 0})),
            "{inf, -inf, -nan}");
}

TEST(BinaryTest, F32AddsInItsOwnPrecision) {
  EXPECT_EQ(Binary(Opcode::kAdd, F32({1}, {1e8}), F32({1}, {1})), "{1e+08}");
  EXPECT_EQ(Binary(Opcode::kAdd, Array(ElementType::kBF16, {1}, {256}),
                   Array(ElementType::kBF16, {1}, {1})),
            "{256}");
}

TEST(BinaryTest, IntegerDivisionAndRemainder) {
  EXPECT_EQ(Binary(Opcode::kDivide, S32({4}, {17, -17, 17, -17}), S32({4}, {3, 3, -3, -3})),
            "{5, -5, -5, 5}");
  EXPECT_EQ(Binary(Opcode::kRemainder, S32({4}, {17, -17, 17, -17}), S32({4}, {3, 3, -3, -3})),
            "{2, -2, 2, -2}");
  for (ElementType type : {ElementType::kS8, ElementType::kS32, ElementType::kS64}) {
    Literal min(Shape::Array(type, {1}));
    min.SetBits(0, uint64_t{1} << (BitWidth(type) - 1));
    Literal minus_one = Array(type, {1}, {-1}), zero = Array(type, {1}, {0});
    EXPECT_TRUE(Eval(Opcode::kDivide, {min, minus_one}).BitwiseEqual(min)) << HloName(type);
    EXPECT_EQ(Binary(Opcode::kRemainder, min, minus_one), "{0}");
    EXPECT_EQ(Binary(Opcode::kDivide, min, zero), "{-1}");
    EXPECT_TRUE(Eval(Opcode::kRemainder, {min, zero}).BitwiseEqual(min));
  }
  Literal seven = Array(ElementType::kU8, {1}, {7}), zero = Array(ElementType::kU8, {1}, {0});
  EXPECT_EQ(Binary(Opcode::kDivide, seven, zero), "{255}");
  EXPECT_EQ(Binary(Opcode::kRemainder, seven, zero), "{7}");
}

TEST(BinaryTest, FloatRemainderIsFmod) {
  EXPECT_EQ(
      Binary(Opcode::kRemainder, F32({4}, {17.5, -17.5, 17.5, 5}), F32({4}, {3, 3, -3, kInf})),
      "{2.5, -2.5, 2.5, 5}");
}

TEST(BinaryTest, ComplexArithmetic) {
  Literal a = Complex(ElementType::kC128, {{1, 2}}), b = Complex(ElementType::kC128, {{3, -1}});
  EXPECT_EQ(Binary(Opcode::kMultiply, a, b), "{(5, 5)}");
  EXPECT_EQ(Binary(Opcode::kDivide, Complex(ElementType::kC64, {{5, 5}}),
                   Complex(ElementType::kC64, {{3, -1}})),
            "{(1, 2)}");
  // The result is a - b·trunc(a/b), where a/b = 3.25 - 0.5i.
  EXPECT_EQ(Binary(Opcode::kRemainder, Complex(ElementType::kC64, {{6.5, -1}}),
                   Complex(ElementType::kC64, {{2, 0}})),
            "{(0.5, -1)}");
  EXPECT_EQ(Binary(Opcode::kMaximum, a, Complex(ElementType::kC128, {{1, 3}})), "{(1, 3)}");
  EXPECT_EQ(Binary(Opcode::kComplex, F32({2}, {1, 3}), F32({2}, {2, 4})), "{(1, 2), (3, 4)}");
}

TEST(BinaryTest, Power) {
  EXPECT_EQ(Binary(Opcode::kPower, F64({6}, {-2, -0.0, -36, 5, 3, 10000}),
                   F64({6}, {2, 2, 1.1, 2, -1, 10})),
            "{4, 0, -nan, 25, 0.3333333333333333, 1e+40}");
  EXPECT_EQ(Binary(Opcode::kPower, F32({1}, {10000}), F32({1}, {10})), "{inf}");
  EXPECT_EQ(Binary(Opcode::kPower, S32({7}, {2, -3, 1, -1, -1, 5, 0}),
                   S32({7}, {10, 3, -4, -3, -2, -1, 0})),
            "{1024, -27, 1, -1, 1, 0, 1}");
  EXPECT_EQ(Binary(Opcode::kPower, Array(ElementType::kU8, {1}, {3}),
                   Array(ElementType::kU8, {1}, {255})),
            "{171}");  // 3^255 mod 256
}

TEST(BinaryTest, MinMaxOfSpecialValues) {
  Literal a = F32({4}, {NAN, 1, -0.0, 0.0}), b = F32({4}, {1, NAN, 0.0, -0.0});
  EXPECT_EQ(Binary(Opcode::kMaximum, a, b), "{nan, nan, 0, 0}");
  EXPECT_EQ(Binary(Opcode::kMinimum, a, b), "{nan, nan, -0, -0}");
  EXPECT_EQ(Binary(Opcode::kMaximum, S32({2, 2}, {1, 2, 7, 8}), S32({2, 2}, {5, 6, 3, 4})),
            "{ {5, 6}, {7, 8} }");
  EXPECT_EQ(Binary(Opcode::kMinimum, S32({2, 2}, {1, 2, 7, 8}), S32({2, 2}, {5, 6, 3, 4})),
            "{ {1, 2}, {3, 4} }");
  EXPECT_EQ(Binary(Opcode::kMaximum, Array(ElementType::kU8, {1}, {200}),
                   Array(ElementType::kU8, {1}, {100})),
            "{200}");
}

TEST(BinaryTest, Booleans) {
  Literal a = Pred({4}, {0, 0, 1, 1}), b = Pred({4}, {0, 1, 0, 1});
  for (Opcode op : {Opcode::kAdd, Opcode::kMaximum, Opcode::kOr}) {
    EXPECT_EQ(Binary(op, a, b), "{false, true, true, true}");
  }
  for (Opcode op : {Opcode::kMultiply, Opcode::kMinimum, Opcode::kAnd}) {
    EXPECT_EQ(Binary(op, a, b), "{false, false, false, true}");
  }
  EXPECT_EQ(Binary(Opcode::kXor, a, b), "{false, true, true, false}");
}

TEST(BinaryTest, BitsAndShifts) {
  Literal a = S32({4}, {1, 2, 3, 4}), b = S32({4}, {5, 6, 7, 8});
  EXPECT_EQ(Binary(Opcode::kAnd, a, b), "{1, 2, 3, 0}");
  EXPECT_EQ(Binary(Opcode::kOr, a, b), "{5, 6, 7, 12}");
  EXPECT_EQ(Binary(Opcode::kXor, a, b), "{4, 4, 4, 12}");
  EXPECT_EQ(Binary(Opcode::kShiftLeft, S64({3}, {-1, 0, 1}), S64({3}, {1, 2, 3})), "{-2, 0, 8}");
  EXPECT_EQ(Binary(Opcode::kShiftRightArithmetic, S64({3}, {-1, 0, 8}), S64({3}, {1, 2, 3})),
            "{-1, 0, 1}");
  EXPECT_EQ(Binary(Opcode::kShiftRightLogical, S64({3}, {-1, 0, 8}), S64({3}, {1, 2, 3})),
            "{9223372036854775807, 0, 1}");
  Literal x = Array(ElementType::kS8, {3}, {-3, -3, 3}),
          far = Array(ElementType::kS8, {3}, {8, -1, 100});
  EXPECT_EQ(Binary(Opcode::kShiftLeft, x, far), "{0, 0, 0}");
  EXPECT_EQ(Binary(Opcode::kShiftRightLogical, x, far), "{0, 0, 0}");
  EXPECT_EQ(Binary(Opcode::kShiftRightArithmetic, x, far), "{-1, -1, 0}");
  EXPECT_EQ(Binary(Opcode::kShiftRightLogical, Array(ElementType::kS8, {1}, {-1}),
                   Array(ElementType::kS8, {1}, {4})),
            "{15}");
  EXPECT_EQ(Binary(Opcode::kShiftRightArithmetic, Array(ElementType::kU8, {1}, {128}),
                   Array(ElementType::kU8, {1}, {1})),
            "{192}");
}

TEST(BinaryTest, Atan2) {
  EXPECT_EQ(Binary(Opcode::kAtan2, F32({3}, {0, 1, -1}), F32({3}, {0, 0, 0})),
            "{0, 1.5707964, -1.5707964}");
  Literal got = Eval(Opcode::kAtan2, {Complex(ElementType::kC128, {{1, 0}}),
                                      Complex(ElementType::kC128, {{-1, 0}})});
  EXPECT_NEAR(got.GetComplex(0).real(), 3 * M_PI / 4, 1e-12);
}

}  // namespace
}  // namespace halyard::hlo
