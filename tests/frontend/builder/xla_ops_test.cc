// Examples of XLA's documentation, built with the free functions where they exist.
#include "frontend/builder/xla_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/frontend/builder/run_computation.h"

namespace halyard {
namespace {

using testing::HasSubstr;

std::string RunOps(std::function<void(XlaBuilder*)> build) {
  XlaBuilder b("f");
  build(&b);
  return BuildAndRun(b);
}

// Returns v of shape 4 × 2 × 3, with v[i,j,k] = 10 (i + 1) + 5 j + k.
XlaOp V(XlaBuilder* b) {
  Shape shape = ShapeUtil::MakeShape(F32, {4, 2, 3});
  XlaOp ten = ConstantR0<float>(b, 10), five = ConstantR0<float>(b, 5);
  return (Iota(b, shape, 0) + ConstantR0<float>(b, 1)) * ten + Iota(b, shape, 1) * five +
         Iota(b, shape, 2);
}

TEST(XlaOpsTest, EveryElementwiseOpIsTheOneOfItsName) {
  auto unary = [](XlaOp (*op)(XlaOp), double x) {
    return RunOps([&](XlaBuilder* b) { op(ConstantR0<double>(b, x)); });
  };
  EXPECT_EQ(unary(Abs, -2), "2");
  EXPECT_EQ(unary(Neg, 2), "-2");
  EXPECT_EQ(unary(Sign, -2), "-1");
  EXPECT_EQ(unary(Exp, 0), "1");
  EXPECT_EQ(unary(Log, 1), "0");
  EXPECT_EQ(unary(Expm1, -HUGE_VAL), "-1");
  EXPECT_EQ(unary(Log1p, 0), "0");
  EXPECT_EQ(unary(Logistic, 0), "0.5");
  EXPECT_EQ(unary(Tanh, 0), "0");
  EXPECT_EQ(unary(Sqrt, 16), "4");
  EXPECT_EQ(unary(Rsqrt, 16), "0.25");
  EXPECT_EQ(unary(Cbrt, 27), "3");
  EXPECT_EQ(unary(Sin, 0), "0");
  EXPECT_EQ(unary(Cos, 0), "1");
  EXPECT_EQ(unary(Tan, 0), "0");
  EXPECT_EQ(unary(Erf, 0), "0");
  EXPECT_EQ(unary(Ceil, 1.2), "2");
  EXPECT_EQ(unary(Floor, 1.8), "1");
  EXPECT_EQ(unary(Round, 2.5), "3");
  EXPECT_EQ(unary(RoundNearestEven, 2.5), "2");
  EXPECT_EQ(unary(IsFinite, 2.5), "true");
  EXPECT_EQ(unary(Real, 2.5), "2.5");
  EXPECT_EQ(unary(Imag, 2.5), "0");
  auto integer = [](XlaOp (*op)(XlaOp), int32_t x) {
    return RunOps([&](XlaBuilder* b) { op(ConstantR0<int32_t>(b, x)); });
  };
  EXPECT_EQ(integer(Not, 5), "-6");
  EXPECT_EQ(integer(PopulationCount, 7), "3");
  EXPECT_EQ(integer(Clz, 1), "31");
  auto binary = [](XlaOp (*op)(XlaOp, XlaOp, Int64Span), int32_t x, int32_t y) {
    return RunOps(
        [&](XlaBuilder* b) { op(ConstantR0<int32_t>(b, x), ConstantR0<int32_t>(b, y), {}); });
  };
  EXPECT_EQ(binary(Add, 7, 3), "10");
  EXPECT_EQ(binary(Sub, 7, 3), "4");
  EXPECT_EQ(binary(Mul, 7, 3), "21");
  EXPECT_EQ(binary(Div, 7, 3), "2");
  EXPECT_EQ(binary(Rem, -7, 3), "-1");
  EXPECT_EQ(binary(Max, 7, 3), "7");
  EXPECT_EQ(binary(Min, 7, 3), "3");
  EXPECT_EQ(binary(Pow, 7, 3), "343");
  EXPECT_EQ(binary(And, 6, 3), "2");
  EXPECT_EQ(binary(Or, 6, 3), "7");
  EXPECT_EQ(binary(Xor, 6, 3), "5");
  EXPECT_EQ(binary(ShiftLeft, 6, 3), "48");
  EXPECT_EQ(binary(ShiftRightArithmetic, -8, 2), "-2");
  EXPECT_EQ(binary(ShiftRightLogical, -8, 28), "15");
  EXPECT_EQ(binary(Eq, 6, 3), "false");
  EXPECT_EQ(binary(Ne, 6, 3), "true");
  EXPECT_EQ(binary(Lt, 6, 3), "false");
  EXPECT_EQ(binary(Le, 3, 3), "true");
  EXPECT_EQ(binary(Gt, 6, 3), "true");
  EXPECT_EQ(binary(Ge, 2, 3), "false");
  EXPECT_EQ(binary(LtTotalOrder, 2, 3), "true");
  auto real = [](XlaOp (*op)(XlaOp, XlaOp, Int64Span), double x, double y) {
    return RunOps(
        [&](XlaBuilder* b) { op(ConstantR0<double>(b, x), ConstantR0<double>(b, y), {}); });
  };
  EXPECT_EQ(real(Atan2, 0, 1), "0");
  EXPECT_EQ(real(Complex, 1, 2), "(1, 2)");
  EXPECT_EQ(real(Lt, -0.0, 0.0), "false");
  EXPECT_EQ(real(LtTotalOrder, -0.0, 0.0), "true");
  EXPECT_EQ(real(EqTotalOrder, NAN, NAN), "true");
  EXPECT_EQ(real(Eq, NAN, NAN), "false");
}

TEST(XlaOpsTest, PowerWrappersAndConversions) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) { b->SqrtF32(b->ConstantR1<float>({4, 9})); }), "{2, 3}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { b->SquareF32(b->ConstantR1<float>({4, 9})); }), "{16, 81}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              b->ReciprocalF32(b->ConstantR1<float>({4, 2}));
            }),
            "{0.25, 0.5}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              ConvertElementType(b->ConstantR1<int32_t>({0, 1, 2}), F32);
            }),
            "{0, 1, 2}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              BitcastConvertType(b->ConstantR1<int32_t>({1, 2}), S64);
            }),
            "8589934593");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { BitcastConvertType(b->ConstantR0<int32_t>(0x10002), U16); }),
            "{2, 1}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { ReducePrecision(b->ConstantR0<float>(65520), 5, 10); }),
            "inf");
}

TEST(XlaOpsTest, SelectClampMap) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Select(b->ConstantR1<bool>({true, false, false, true}),
                     b->ConstantR1<int32_t>({1, 2, 3, 4}),
                     b->ConstantR1<int32_t>({100, 200, 300, 400}));
            }),
            "{1, 200, 300, 4}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Clamp(b->ConstantR0<int32_t>(0), b->ConstantR1<int32_t>({-1, 5, 9}),
                    b->ConstantR0<int32_t>(6));
            }),
            "{0, 5, 6}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Map(b, {b->ConstantR1<int32_t>({1, 2}), b->ConstantR1<int32_t>({3, 4})},
                  AddComputation(S32));
            }),
            "{4, 6}");
}

TEST(XlaOpsTest, ReshapeAndCollapse) {
  std::string flat =
      "{10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, "
      "46, 47}";
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Collapse(V(b), {0, 1, 2}); }), flat);
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Reshape(V(b), {24}); }), flat);
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Reshape(V(b), {0, 1, 2}, {24}); }), flat);
  // XLA's documentation swaps these two results, which contradicts its own definition: the
  // collapsed dimension takes the place of the first one.
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Slice(Collapse(V(b), {1, 2}), {0, 0}, {2, 6});
            }),
            "{ {10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Slice(Collapse(V(b), {0, 1}), {0, 0}, {2, 3});
            }),
            "{ {10, 11, 12}, {15, 16, 17} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Reshape(V(b), {1, 2, 0}, {24});
            }),
            "{10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, "
            "27, 37, 47}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Slice(Reshape(V(b), {1, 2, 0}, {8, 3}), {0, 0}, {2, 3});
            }),
            "{ {10, 20, 30}, {40, 11, 21} }");
  EXPECT_THAT(RunOps([](XlaBuilder* b) { Collapse(V(b), {1, 0}); }), HasSubstr("consecutive"));
  EXPECT_THAT(RunOps([](XlaBuilder* b) { Collapse(V(b), {0, 2}); }), HasSubstr("consecutive"));
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Reshape(b->ConstantR2<float>({{5}}), Int64Span{}); }), "5");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Reshape(b->ConstantR0<float>(5), {1, 1}); }), "{ {5} }");
}

TEST(XlaOpsTest, Moves) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Broadcast(b->ConstantR0<float>(2), {2, 3});
            }),
            "{ {2, 2, 2}, {2, 2, 2} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Broadcast(b->ConstantR1<float>({1, 2}), {2});
            }),
            "{ {1, 2}, {1, 2} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              BroadcastInDim(b->ConstantR2<int32_t>({{1, 2, 3}}), {2, 3, 2}, {2, 1});
            }),
            "{ { {1, 1}, {2, 2}, {3, 3} }, { {1, 1}, {2, 2}, {3, 3} } }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              BroadcastInDim(b->ConstantR2<int32_t>({{1, 2}, {3, 4}}), {2, 2}, {1, 0});
            }),
            "{ {1, 3}, {2, 4} }");
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                BroadcastInDim(b->ConstantR1<int32_t>({1, 2}), {3}, {0});
              }),
              HasSubstr("C5"));
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                BroadcastInDim(b->ConstantR1<int32_t>({1, 2}), {2}, {1});
              }),
              HasSubstr("C3"));
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              b->Trans(b->ConstantR2<int32_t>({{1, 2}, {3, 4}}));
            }),
            "{ {1, 3}, {2, 4} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Rev(b->ConstantR1<int32_t>({1, 2, 3}), {0});
            }),
            "{3, 2, 1}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Slice(b->Iota(S32, 8), {1}, {8}, {3}); }), "{1, 4, 7}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              ConcatInDim(b, {b->ConstantR1<int32_t>({2, 3}), b->ConstantR1<int32_t>({4, 5})}, 0);
            }),
            "{2, 3, 4, 5}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Pad(b->ConstantR2<int32_t>({{1, 2, 3}, {4, 5, 6}}), b->ConstantR0<int32_t>(0),
                  {{0, 1, 0}, {1, 2, 0}});
            }),
            "{ {0, 1, 2, 3, 0, 0}, {0, 4, 5, 6, 0, 0}, {0, 0, 0, 0, 0, 0} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              DynamicSlice(b->Iota(S32, 5), {b->ConstantR0<int32_t>(2)}, {2});
            }),
            "{2, 3}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              DynamicUpdateSlice(b->Iota(S32, 5), b->ConstantR1<int32_t>({5, 6}),
                                 {b->ConstantR0<int32_t>(2)});
            }),
            "{0, 1, 5, 6, 4}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              GatherDimensionNumbers numbers{
                  .offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}};
              numbers.index_vector_dim = 1;
              Gather(b->ConstantR2<int32_t>({{1, 2}, {3, 4}, {5, 6}}),
                     b->ConstantR1<int32_t>({2, 0}), numbers, {1, 2});
            }),
            "{ {5, 6}, {1, 2} }");
}

TEST(XlaOpsTest, Dots) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Dot(b->ConstantR1<float>({1, 2}), b->ConstantR1<float>({3, 4}));
            }),
            "11");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Dot(b->ConstantR2<float>({{1, 2}, {3, 4}}), b->ConstantR1<float>({1, 1}));
            }),
            "{3, 7}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) { Dot(b->ConstantR0<float>(3), b->ConstantR0<float>(4)); }),
            "12");
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                Dot(V(b), b->ConstantR1<float>({1, 2, 3}));
              }),
              HasSubstr("vectors and matrices"));
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              DotDimensionNumbers numbers;
              numbers.add_lhs_contracting_dimensions(1);
              numbers.add_rhs_contracting_dimensions(1);
              DotGeneral(b->ConstantR2<float>({{1, 2, 3}, {4, 5, 6}}),
                         b->ConstantR2<float>({{1, 1, 1}, {2, 2, 2}}), numbers);
            }),
            "{ {6, 12}, {15, 30} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              DotDimensionNumbers numbers;
              numbers.add_lhs_contracting_dimensions(0);
              numbers.add_rhs_contracting_dimensions(0);
              b->DotGeneral(b->ConstantR1<int8_t>({100, 100}), b->ConstantR1<int8_t>({100, 100}),
                            numbers, S32);
            }),
            "20000");
}

TEST(XlaOpsTest, Convolutions) {
  // Default order of dimensions: batch, feature, y, x; kernel: out, in, y, x.
  auto image = [](XlaBuilder* b) {
    return Reshape(ConvertElementType(b->Iota(S32, 9), F32), {1, 1, 3, 3});
  };
  auto ones = [](XlaBuilder* b) { return Broadcast(b->ConstantR0<float>(1), {1, 1, 2, 2}); };
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              Conv(image(b), ones(b), {1, 1}, Padding::kValid);
            }),
            "{ { { {8, 12}, {20, 24} } } }");
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              Conv(image(b), ones(b), {1, 1}, Padding::kSame);
            }),
            "{ { { {8, 12, 7}, {20, 24, 13}, {13, 15, 8} } } }");
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              std::pair<int64_t, int64_t> padding[] = {{0, 0}, {1, 0}};
              b->ConvWithGeneralPadding(image(b), ones(b), {1, 2}, padding);
            }),
            "{ { { {3, 12}, {9, 24} } } }");
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              std::pair<int64_t, int64_t> padding[] = {{0, 0}, {0, 0}};
              b->ConvGeneralDilated(image(b), ones(b), {1, 1}, padding, {}, {2, 2},
                                    XlaBuilder::CreateDefaultConvDimensionNumbers());
            }),
            "{ { { {16} } } }");
  EXPECT_TRUE(XlaBuilder::CreateConvDimensionNumbers(0, 3, 1, 2, 3, 2, 0, 1).ok());
  EXPECT_FALSE(XlaBuilder::CreateConvDimensionNumbers(0, 0, 1, 2, 3, 2, 0, 1).ok());
  EXPECT_FALSE(XlaBuilder::CreateConvDimensionNumbers(0, 3, 1, 2, 3, 2, 0, 4).ok());
  EXPECT_THAT(RunOps([&](XlaBuilder* b) { Conv(image(b), ones(b), {1}, Padding::kValid); }),
              HasSubstr("C1"));
}

TEST(XlaOpsTest, Reductions) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Reduce(V(b), b->ConstantR0<float>(0), AddComputation(F32), {0, 1});
            }),
            "{220, 228, 236}");
  XlaComputation min = [] {
    XlaBuilder b("min");
    XlaOp x = b.Parameter(0, Shape::Scalar(F32)), y = b.Parameter(1, Shape::Scalar(F32));
    b.Min(x, y);
    return b.Build().value();
  }();
  auto window = [&](Padding padding) {
    return RunOps([&](XlaBuilder* b) {
      ReduceWindow(b->ConstantR1<float>({10000, 1000, 100, 10, 1}),
                   b->ConstantLiteral(LiteralUtil::MaxValue(F32)), min, {3}, {2}, padding);
    });
  };
  EXPECT_EQ(window(Padding::kValid), "{100, 1}");
  EXPECT_EQ(window(Padding::kSame), "{1000, 10, 1}");
  EXPECT_THAT(RunOps([&](XlaBuilder* b) {
                ReduceWindow(b->ConstantR1<float>({1}), b->ConstantR0<float>(0), min, {1}, {0},
                             Padding::kSame);
              }),
              HasSubstr("stride"));
}

TEST(XlaOpsTest, Sorts) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              b->Sort(b->ConstantR2<float>({{3, 1, 2}, {9, -1, 0}}));
            }),
            "{ {1, 2, 3}, {-1, 0, 9} }");
  XlaComputation greater = [] {
    XlaBuilder b("greater");
    XlaOp x = b.Parameter(0, Shape::Scalar(S32)), y = b.Parameter(1, Shape::Scalar(S32));
    XlaOp result = b.Gt(x, y);
    b.Parameter(2, Shape::Scalar(F32));
    b.Parameter(3, Shape::Scalar(F32));
    return b.Build(result).value();
  }();
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              Sort({b->ConstantR1<int32_t>({1, 3, 2}), b->ConstantR1<float>({10, 30, 20})}, greater,
                   -1, true);
            }),
            "({3, 2, 1}, {30, 20, 10})");
  EXPECT_THAT(RunOps([&](XlaBuilder* b) { Sort({b->ConstantR1<int32_t>({1})}, greater, 1); }),
              HasSubstr("C4"));
}

TEST(XlaTypesTest, Limits) {
  EXPECT_EQ(LiteralUtil::MinValue(F32).ToString(), "-inf");
  EXPECT_EQ(LiteralUtil::MaxValue(PrimitiveType::kF8E4M3FN).GetFloat(0), 448);
  EXPECT_EQ(LiteralUtil::MinValue(PrimitiveType::kF8E8M0FNU).GetFloat(0), std::ldexp(1, -127));
  EXPECT_EQ(LiteralUtil::MinValue(S8).ToString(), "-128");
  EXPECT_EQ(LiteralUtil::MaxValue(S64).ToString(), "9223372036854775807");
  EXPECT_EQ(LiteralUtil::MaxValue(U4).ToString(), "15");
  EXPECT_EQ(LiteralUtil::MinValue(PRED).ToString(), "false");
  EXPECT_EQ(LiteralUtil::MaxValue(PRED).ToString(), "true");
}

}  // namespace
}  // namespace halyard
