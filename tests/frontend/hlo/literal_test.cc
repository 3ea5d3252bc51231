#include "frontend/hlo/values/literal.h"

#include <cmath>
#include <cstring>

#include "tests/frontend/hlo/graph_builder.h"

namespace halyard::hlo {
namespace {

TEST(LiteralTest, Text) {
  EXPECT_EQ(S32({2, 2}, {1, 2, 3, -4}).ToString(), "{ {1, 2}, {3, -4} }");
  EXPECT_EQ(F32({}, {0.1}).ToString(), "0.1");
  EXPECT_EQ(F32({3}, {-0.0, HUGE_VAL, NAN}).ToString(), "{-0, inf, nan}");
  EXPECT_EQ(Pred({2}, {1, 0}).ToString(), "{true, false}");
  EXPECT_EQ(Complex(ElementType::kC64, {{1, -2.5}}).ToString(), "{(1, -2.5)}");
  EXPECT_EQ(Array(ElementType::kBF16, {1}, {3.14159}).ToString(), "{3.14}");
  EXPECT_EQ(Array(ElementType::kU64, {}, {0}).ToString(), "0");
  EXPECT_EQ(Literal::Tuple({F32({}, {1}), Literal::Tuple({})}).ToString(), "(1, ())");
  EXPECT_EQ(F32({0, 3}, {}).ToString(), "{}");
}

TEST(LiteralTest, IntegersWrapToTheirWidth) {
  EXPECT_EQ(Array(ElementType::kS4, {3}, {7, 8, -9}).ToString(), "{7, -8, 7}");
  EXPECT_EQ(Array(ElementType::kU2, {3}, {3, 4, -1}).ToString(), "{3, 0, 3}");
  Literal u64(Shape::Scalar(ElementType::kU64));
  u64.SetInt(0, -1);
  EXPECT_EQ(u64.GetUint(0), ~uint64_t{0});
  EXPECT_EQ(u64.GetAsDouble(0), std::ldexp(1, 64));
}

TEST(LiteralTest, SubByteSignedIsStoredSignExtended) {
  Literal s4(Shape::Array(ElementType::kS4, {1}));
  s4.SetBits(0, 0xf);
  EXPECT_EQ(s4.bytes()[0], std::byte{0xff});
  EXPECT_EQ(s4.GetBits(0), 0xfu);
  EXPECT_EQ(s4.GetInt(0), -1);
}

TEST(LiteralTest, CopiesShareUntilWritten) {
  Literal a = F32({2}, {1, 2});
  Literal b = a;
  EXPECT_EQ(a.bytes().data(), b.bytes().data());
  b.SetFloat(0, 7);
  EXPECT_EQ(a.ToString(), "{1, 2}");
  EXPECT_EQ(b.ToString(), "{7, 2}");
}

TEST(LiteralTest, BorrowedBytesAreCopiedWhenWritten) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  std::weak_ptr<std::vector<float>> watch = owner;
  const std::byte* data = reinterpret_cast<const std::byte*>(owner->data());
  Literal a = Literal::Borrow(Shape::Array(ElementType::kF32, {2}), data, std::move(owner));
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(a.bytes().data(), data);
  Literal b = a;
  b.SetFloat(1, 9);
  EXPECT_EQ(a.ToString(), "{1, 2}");
  EXPECT_EQ(b.ToString(), "{1, 9}");
  a = Literal();
  EXPECT_TRUE(watch.expired());
}

TEST(LiteralTest, SplatAndIsSplat) {
  Literal splat = Literal::Splat(Shape::Array(ElementType::kC128, {2, 2}),
                                 Complex(ElementType::kC128, {{1, 2}}));
  EXPECT_TRUE(splat.IsSplat());
  EXPECT_EQ(splat.GetComplex(3), (std::complex<double>(1, 2)));
  EXPECT_FALSE(F32({2}, {0.0, -0.0}).IsSplat());
  EXPECT_TRUE(F32({}, {3}).IsSplat());
  EXPECT_FALSE(F32({0}, {}).IsSplat());
}

TEST(LiteralTest, BitwiseEqual) {
  EXPECT_TRUE(F32({2}, {1, NAN}).BitwiseEqual(F32({2}, {1, NAN})));
  EXPECT_FALSE(F32({1}, {0.0}).BitwiseEqual(F32({1}, {-0.0})));
  EXPECT_FALSE(F32({1}, {1}).BitwiseEqual(F32({}, {1})));
  EXPECT_TRUE(Literal::Tuple({F32({}, {1})}).BitwiseEqual(Literal::Tuple({F32({}, {1})})));
}

TEST(CompareTest, FindsTheWorstElement) {
  Literal got = Literal::Tuple({F32({2}, {1, 2}), F32({2}, {3, 5})});
  Literal want = Literal::Tuple({F32({2}, {1, 2.5}), F32({2}, {3, 4})});
  Difference d = *Compare(got, want, 0, 0.1);
  EXPECT_FALSE(d.within);
  EXPECT_EQ(d.leaf, 1);
  EXPECT_EQ(d.index, 1);
  EXPECT_EQ(d.got, 5);
  EXPECT_EQ(d.want, 4);
  EXPECT_EQ(d.max_abs, 1);
  EXPECT_EQ(d.max_want, 4);
  EXPECT_EQ(d.count, 2);
}

TEST(CompareTest, NansAndInfinities) {
  EXPECT_TRUE(Compare(F32({2}, {NAN, HUGE_VAL}), F32({2}, {NAN, HUGE_VAL}), 0, 0)->within);
  EXPECT_FALSE(Compare(F32({1}, {NAN}), F32({1}, {1}), 1, 1)->within);
  EXPECT_FALSE(Compare(F32({1}, {1}), F32({1}, {HUGE_VAL}), 1, 1)->within);
  EXPECT_FALSE(Compare(F32({1}, {HUGE_VAL}), F32({1}, {-HUGE_VAL}), 1, 1)->within);
}

TEST(CompareTest, LargeIntegersDifferExactly) {
  Literal a = S64({1}, {(int64_t{1} << 60) + 1}), b = S64({1}, {int64_t{1} << 60});
  Difference d = *Compare(a, b, 0, 0);
  EXPECT_FALSE(d.within);
  EXPECT_EQ(d.max_abs, 1);
}

TEST(CompareTest, ShapesMustMatch) {
  EXPECT_FALSE(Compare(F32({1}, {1}), S32({1}, {1}), 0, 0).ok());
}

}  // namespace
}  // namespace halyard::hlo
