// Methods that are neither elementwise nor in xla_ops_test.cc. Each must build, and its result on
// the reference evaluator must be that of the example in XLA's documentation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/builder/xla_ops.h"
#include "tests/frontend/builder/run_computation.h"
#include "tests/frontend/builder/run_ops.h"

namespace halyard {
namespace {

using testing::HasSubstr;

TEST(XlaMethodsTest, ConstantsOfEveryRank) {
  Array2D<int32_t> a2({{1, 2}, {3, 4}});
  Array3D<float> a3(1, 2, 2, 5.0f);
  a3(0, 1, 0) = 7;
  Array4D<int64_t> a4({{{{1}, {2}}}});
  EXPECT_EQ(a2.height() * 10 + a2.width(), 22);
  EXPECT_EQ(a4.planes() * 1000 + a4.depth() * 100 + a4.height() * 10 + a4.width(), 1121);
  EXPECT_EQ(a3.n1() * 100 + a3.n2() * 10 + a3.n3(), 122);
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              Tuple(b, {ConstantR2FromArray2D(b, a2), ConstantR3FromArray3D(b, a3),
                        ConstantR4FromArray4D(b, a4)});
            }),
            "({ {1, 2}, {3, 4} }, { { {5, 5}, {7, 5} } }, { { { {1}, {2} } } })");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Tuple(b,
                    {ConstantR1<bool>(b, {true, false}), ConstantR2<bool>(b, {{true}}),
                     ConstantR3<uint8_t>(b, {{{1}, {2}}}), ConstantR4<double>(b, {{{{1.5, 2}}}})});
            }),
            "({true, false}, { {true} }, { { {1}, {2} } }, { { { {1.5, 2} } } })");
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                ConstantR3<float>(b, {{{1, 2}, {3}}});
              }),
              HasSubstr("nested lists differ in length"));
  EXPECT_EQ(LiteralUtil::CreateR2<float>({{1, 2}}).ToString(), "{ {1, 2} }");
  Literal tuple = LiteralUtil::MakeTuple(
      {LiteralUtil::CreateR0<bool>(true), LiteralUtil::CreateR1<int8_t>({-1})});
  EXPECT_EQ(tuple.ToString(), "(true, {-1})");
}

TEST(XlaMethodsTest, MapWithStaticOperands) {
  // (x, y, scalar s, vector v) -> x * y + s, or x * y + s + v[1]
  XlaBuilder body("body");
  Shape f32 = Shape::Scalar(F32);
  XlaOp x = body.Parameter(0, f32), y = body.Parameter(1, f32), s = body.Parameter(2, f32);
  XlaOp sum = x * y + s;
  XlaComputation scalar_only = Scalars(F32, 3, [](auto p) { p[0] * p[1] + p[2]; });
  XlaOp v = body.Parameter(3, ShapeUtil::MakeShape(F32, {2}));
  sum + Reshape(Slice(v, {1}, {2}), {});
  XlaComputation with_vector = body.Build().value();
  auto map = [&](const XlaComputation& f, bool vector) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp a = ConstantR2<float>(b, {{1, 2}, {3, 4}}), c = ConstantR2<float>(b, {{5, 6}, {7, 8}});
      std::vector<XlaOp> statics = {ConstantR0<float>(b, 100)};
      if (vector) statics.push_back(b->ConstantR1<float>({0.25f, 0.5f}));
      Map(b, {a, c}, f, {}, statics);
    });
  };
  EXPECT_EQ(map(scalar_only, false), "{ {105, 112}, {121, 132} }");
  EXPECT_EQ(map(with_vector, true), "{ {105.5, 112.5}, {121.5, 132.5} }");
  EXPECT_THAT(map(with_vector, false), HasSubstr("map: "));  // one parameter too many
}

TEST(XlaMethodsTest, SelectOfTuples) {
  auto select = [](bool scalar, bool same) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp x = ConstantR0<float>(b, 1), y = b->ConstantR1<int32_t>({2, 3});
      XlaOp pred = scalar ? b->ConstantR0<bool>(false) : b->ConstantR1<bool>({true, false});
      XlaOp other = Tuple(b, {Tuple(b, {-x}), same ? -y : y, same ? -y : y});
      Select(pred, Tuple(b, {Tuple(b, {x}), y, y}), same ? other : Tuple(b, {x, y}));
    });
  };
  EXPECT_EQ(select(true, true), "((-1), {-2, -3}, {-2, -3})");
  EXPECT_THAT(select(false, true), HasSubstr("select: C1: "));
  EXPECT_THAT(select(true, false), HasSubstr("select: C1: "));
}

TEST(XlaMethodsTest, Einsum) {
  auto run = [](const char* config, bool two) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp a = ConstantR2<float>(b, {{1, 2}, {3, 4}}), c = ConstantR2<float>(b, {{5, 6}, {7, 8}});
      two ? Einsum(a, c, config) : Einsum(a, config);
    });
  };
  EXPECT_EQ(run("ab,bc->ac", true), "{ {19, 22}, {43, 50} }");
  EXPECT_EQ(run("ab, bc", true), "{ {19, 22}, {43, 50} }");
  EXPECT_EQ(run("ab,bc->ca", true), "{ {19, 43}, {22, 50} }");
  EXPECT_EQ(run("ab,ab->ab", true), "{ {5, 12}, {21, 32} }");
  EXPECT_EQ(run("ab,ab->", true), "70");
  EXPECT_EQ(run("ab,cb->ac", true), "{ {17, 23}, {39, 53} }");
  EXPECT_EQ(run("aa,bb->ab", true), "{ {5, 8}, {20, 32} }");    // diagonals {1,4} and {5,8}
  EXPECT_EQ(run("ab,cd->ad", true), "{ {36, 42}, {84, 98} }");  // b and c are summed first
  EXPECT_EQ(run("ab->a", false), "{3, 7}");
  EXPECT_EQ(run("ab->ba", false), "{ {1, 3}, {2, 4} }");
  EXPECT_EQ(run("aa->a", false), "{1, 4}");
  EXPECT_EQ(run("aa->", false), "5");
  EXPECT_EQ(run("ab", false), "{ {1, 2}, {3, 4} }");
  EXPECT_THAT(run("ab,bc->ad", true), HasSubstr("no operand has the result's 'd'"));
  EXPECT_THAT(run("abc,bc->a", true), HasSubstr("does not fit f32[2,2]"));
  EXPECT_THAT(run("ab->aa", false), HasSubstr("'a' twice"));
  EXPECT_THAT(run("ab,bc->ac", false), HasSubstr("is of 2 operands, not 1"));
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                Einsum(b->ConstantR1<float>({1, 2}), b->ConstantR1<float>({1, 2, 3}), "a,a->a");
              }),
              HasSubstr("'a' is of size 2 and 3"));
}

TEST(XlaMethodsTest, TorchIndexSelect) {
  auto run = [](XlaOp (*index)(XlaBuilder*), int64_t dim, int64_t batch_dims) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp x = ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}});
      TorchIndexSelect(x, index(b), dim, batch_dims);
    });
  };
  auto vector = [](XlaBuilder* b) { return b->ConstantR1<int32_t>({1, 0, 1}); };
  EXPECT_EQ(run(vector, 0, 0), "{ {4, 5, 6}, {1, 2, 3}, {4, 5, 6} }");
  EXPECT_EQ(run(vector, 1, 0), "{ {2, 1, 2}, {5, 4, 5} }");
  EXPECT_EQ(run(vector, -1, 0), "{ {2, 1, 2}, {5, 4, 5} }");
  auto matrix = [](XlaBuilder* b) { return ConstantR2<int32_t>(b, {{2, 0}, {1, 1}}); };
  EXPECT_EQ(run(matrix, 1, 1), "{ {3, 1}, {5, 5} }");
  EXPECT_EQ(run(matrix, 1, 0), "{ { {3, 1}, {2, 2} }, { {6, 4}, {5, 5} } }");
  EXPECT_THAT(run(matrix, 0, 1), HasSubstr("do not fit"));
}

TEST(XlaMethodsTest, Scatter) {
  auto run = [](std::vector<std::vector<float>> inputs) {
    return RunOps([&](XlaBuilder* b) {
      ScatterDimensionNumbers numbers{
          .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1};
      XlaOp indices = b->ConstantR1<int32_t>({1, 3, 1, 7});  // 7 is skipped
      std::vector<XlaOp> operands, updates;
      for (const auto& input : inputs) {
        operands.push_back(b->ConstantR1<float>(absl::MakeConstSpan(input)));
        updates.push_back(b->ConstantR1<float>({10, 20, 30, 40}));
      }
      if (inputs.size() == 1) {
        Scatter(operands[0], indices, updates[0], AddComputation(F32), numbers);
      } else {
        XlaComputation both = Scalars(F32, 4, [](auto p) {
          Tuple(p[0].builder(), {p[0] + p[2], Max(p[1], p[3])});
        });
        Scatter(operands, indices, updates, both, numbers, false, false);
      }
    });
  };
  EXPECT_EQ(run({{1, 2, 3, 4}}), "{1, 42, 3, 24}");
  EXPECT_EQ(run({{1, 2, 3, 4}, {0, 0, 0, 99}}), "({1, 42, 3, 24}, {0, 30, 0, 99})");
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                b->Scatter(absl::Span<const XlaOp>(), b->ConstantR1<int32_t>({1}), {},
                           AddComputation(F32), {});
              }),
              HasSubstr("C5: 0 inputs"));
}

TEST(XlaMethodsTest, DimensionSizes) {
  // The example of the documentation, v = 1..10.
  auto run = [](int32_t size, bool product) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp v = Iota(b, F32, 10) + ConstantR0<float>(b, 1);
      XlaOp cut = SetDimensionSize(v, ConstantR0<int32_t>(b, size), 0);
      XlaComputation multiply = Scalars(F32, 2, [](auto p) { p[0] * p[1]; });
      ReduceAll(cut, ConstantR0<float>(b, product ? 1 : 0),
                product ? multiply : AddComputation(F32));
    });
  };
  EXPECT_EQ(run(5, false), "15");
  EXPECT_EQ(run(5, true), "120");
  EXPECT_EQ(run(6, false), "21");
  EXPECT_EQ(run(10, false), "55");
  EXPECT_THAT(run(11, false), HasSubstr("the size 11 of dimension 0 is not in [0, 10]"));
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              GetDimensionSize(ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}}), 1);
            }),
            "3");
}

TEST(XlaMethodsTest, Windows) {
  XlaComputation min = Scalars(F32, 2, [](auto p) { Min(p[0], p[1]); });
  auto run = [&](Padding padding) {
    return RunOps([&](XlaBuilder* b) {
      ReduceWindow(b->ConstantR1<float>({10000, 1000, 100, 10, 1}),
                   ConstantLiteral(b, LiteralUtil::MaxValue(F32)), min, {3}, {2}, padding);
    });
  };
  EXPECT_EQ(run(Padding::kValid), "{100, 1}");
  EXPECT_EQ(run(Padding::kSame), "{1000, 10, 1}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              ReduceWindowWithGeneralPadding({ConstantR2<int32_t>(b, {{1, 2}, {3, 4}, {5, 6}})},
                                             {ConstantR0<int32_t>(b, 0)}, AddComputation(S32),
                                             {2, 1}, {4, 1}, {2, 1}, {3, 1}, {{2, 1}, {0, 0}});
            }),
            "{ {0, 0}, {3, 4} }");
  // Dilated by 2, the window spans 3 elements. Padding of one element on each side keeps the size.
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              ReduceWindow({b->ConstantR1<float>({1, 2, 3, 4})}, {ConstantR0<float>(b, 0)},
                           AddComputation(F32), {2}, {1}, {1}, {2}, Padding::kSame);
            }),
            "{2, 4, 6, 3}");

  XlaComputation both = Scalars(F32, 4, [](auto p) {
    Tuple(p[0].builder(), {p[0] + p[2], Max(p[1], p[3])});
  });
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              XlaOp x = b->ConstantR1<float>({1, 2, 3, 4}), zero = ConstantR0<float>(b, 0);
              ReduceWindow({x, x}, {zero, zero}, both, {2}, {2}, Padding::kValid);
            }),
            "({3, 7}, {2, 4})");

  XlaComputation ge = Scalars(S32, 2, [](auto p) { Ge(p[0], p[1]); });
  auto select = [&](bool general) {
    return RunOps([&](XlaBuilder* b) {
      XlaOp x = ConstantR2<int32_t>(b, {{1, 5}, {2, 5}, {3, 6}, {4, 4}});
      XlaOp source = ConstantR2<int32_t>(b, {{5, 6}, {7, 8}}), zero = ConstantR0<int32_t>(b, 0);
      if (general) {
        SelectAndScatterWithGeneralPadding(x, ge, {3, 1}, {2, 1}, {{0, 1}, {0, 0}}, source, zero,
                                           AddComputation(S32));
      } else {
        SelectAndScatter(x, ge, {2, 1}, {2, 1}, Padding::kValid, source, zero, AddComputation(S32));
      }
    });
  };
  EXPECT_EQ(select(true), "{ {0, 0}, {0, 0}, {5, 14}, {7, 0} }");
  EXPECT_EQ(select(false), "{ {0, 6}, {5, 0}, {0, 8}, {7, 0} }");
}

TEST(XlaMethodsTest, SortAndTopK) {
  XlaComputation gt = Scalars(F32, 2, [](auto p) { Gt(p[0], p[1]); });
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Sort(ConstantR2<float>(b, {{3, 1}, {2, 4}}), 0);
            }),
            "{ {2, 1}, {3, 4} }");
  EXPECT_EQ(RunOps([&](XlaBuilder* b) { Sort(b->ConstantR1<float>({3, 1, 2}), gt); }), "{3, 2, 1}");
  for (bool by_comparator : {false, true}) {
    EXPECT_EQ(RunOps([&](XlaBuilder* b) {
                XlaOp x = ConstantR2<float>(b, {{0.1f, 0.3f, 0.1f}, {0.7f, 0.2f, -0.1f}});
                by_comparator ? TopK(x, 1, gt) : TopK(x, 1, true);
              }),
              "({ {0.3}, {0.7} }, { {1}, {0} })");
    EXPECT_EQ(RunOps([&](XlaBuilder* b) {  // for ties, the lower index comes first
                XlaOp x = b->ConstantR1<float>({2, 5, 2, 5});
                by_comparator ? TopK(x, 3, gt) : TopK(x, 3);
              }),
              "({5, 5, 2}, {1, 3, 0})");
  }
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              TopK(b->ConstantR1<float>({2, 5, 1}), 2, false);
            }),
            "({1, 2}, {2, 0})");
  EXPECT_THAT(RunOps([&](XlaBuilder* b) {
                TopK(b->ConstantR1<float>({2, 5, 1}), 4, gt);
              }),
              HasSubstr("k = 4 of 3"));
}

TEST(XlaMethodsTest, BatchNormalisation) {
  auto data = [](XlaBuilder* b) {
    return ConstantR3<double>(b, {{{1, 2}, {3, 4}}, {{3, 4}, {1, 2}}});
  };
  auto vector = [](XlaBuilder* b, double x, double y) { return b->ConstantR1<double>({x, y}); };
  const char* output = "{ { {0, 0}, {2, 2} }, { {2, 2}, {0, 0} } }";
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              BatchNormTraining(data(b), vector(b, 1, 1), vector(b, 1, 1), 0, 2);
            }),
            absl::StrCat("(", output, ", {2, 3}, {1, 1})"));
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              BatchNormInference(data(b), vector(b, 1, 1), vector(b, 1, 1), vector(b, 2, 3),
                                 vector(b, 1, 1), 0, 2);
            }),
            output);
  EXPECT_EQ(RunOps([&](XlaBuilder* b) {
              XlaOp tenth = Broadcast(ConstantR0<double>(b, 0.1), {2, 2, 2});
              XlaOp all = BatchNormGrad(data(b), vector(b, 1, 1), vector(b, 2, 3), vector(b, 1, 1),
                                        tenth, 0, 2);
              GetTupleElement(all, 2);
            }),
            "{0.4, 0.4}");
  EXPECT_THAT(RunOps([&](XlaBuilder* b) {
                BatchNormTraining(data(b), vector(b, 1, 1), vector(b, 1, 1), 0, 3);
              }),
              HasSubstr("C1"));
}

TEST(XlaMethodsTest, LinearAlgebraAndTransforms) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Cholesky(ConstantR2<float>(b, {{1, 2, 3}, {2, 20, 26}, {3, 26, 70}}));
            }),
            "{ {1, 0, 0}, {2, 4, 0}, {3, 5, 6} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              TriangularSolve(ConstantR2<float>(b, {{1, 0, 0}, {2, 4, 0}, {3, 5, 6}}),
                              ConstantR2<float>(b, {{2, 0, 0}, {4, 8, 0}, {6, 10, 12}}), true, true,
                              false, TriangularSolveOptions::NO_TRANSPOSE);
            }),
            "{ {2, 0, 0}, {0, 2, 0}, {0, 0, 2} }");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Fft(b->ConstantR1<std::complex<float>>({1, 0, 0, 0}), FftType::FFT, {4});
            }),
            "{(1, 0), (1, 0), (1, 0), (1, 0)}");
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              Fft(Fft(b->ConstantR1<float>({1, 2, 3, 4}), FftType::RFFT, {4}), FftType::IRFFT, {4});
            }),
            "{1, 2, 3, 4}");
}

TEST(XlaMethodsTest, RandomNumbers) {
  EXPECT_EQ(RunOps([](XlaBuilder* b) {
              RngBitGenerator(RandomAlgorithm::RNG_THREE_FRY, b->ConstantR1<uint64_t>({1, 2}),
                              ShapeUtil::MakeShape(U64, {2, 2}));
            }),
            "({1, 6}, { {9236835810183407956, 16087790271692313299}, "
            "{18212823393184779219, 2658481902456610144} })");
  XlaBuilder b("f");
  Shape shape = ShapeUtil::MakeShape(F32, {1000});
  XlaOp zero = ConstantR0<float>(&b, 0), one = ConstantR0<float>(&b, 1);
  XlaOp sum = ReduceAll(RngUniform(zero, one, shape), zero, AddComputation(F32));
  XlaOp normal = ReduceAll(RngNormal(zero, one, shape), zero, AddComputation(F32));
  XlaOp coins = RngBernoulli(ConstantR0<float>(&b, 0.25f), ShapeUtil::MakeShape(U32, {1000}));
  XlaOp heads = ReduceAll(coins, ConstantR0<uint32_t>(&b, 0), AddComputation(U32));
  EXPECT_NEAR(b.ComputeConstant(sum)->GetFloat(0), 500, 60);  // random numbers are constants
  EXPECT_NEAR(b.ComputeConstant(normal)->GetFloat(0), 0, 200);
  EXPECT_NEAR(b.ComputeConstant(heads)->GetAsDouble(0), 250, 90);
  EXPECT_TRUE(*b.IsConstant(heads));
  EXPECT_THAT(RunOps([](XlaBuilder* b) {
                RngBernoulli(ConstantR0<float>(b, 0.5f), ShapeUtil::MakeShape(F32, {2}));
              }),
              HasSubstr("Bernoulli numbers are u32"));
}

}  // namespace
}  // namespace halyard
