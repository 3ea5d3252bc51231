// The basics of the builder: errors, parameters, constants, building, calls.
#include "frontend/builder/xla_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/builder/run_computation.h"

namespace halyard {
namespace {

using testing::HasSubstr;

const Shape kScalar = Shape::Scalar(S32);

TEST(XlaBuilderTest, ErrorsAreDeferredToBuild) {
  XlaBuilder b("model");
  XlaOp x = b.Parameter(0, ShapeUtil::MakeShape(F32, {2, 3}), "x");
  XlaOp bad = b.Dot(x, x);
  EXPECT_FALSE(bad.valid());
  XlaOp worse = b.Add(bad, b.ConstantR0<int32_t>(1));  // adds no error of its own
  EXPECT_FALSE(worse.valid());
  EXPECT_FALSE(b.GetShape(x).ok());
  absl::StatusOr<XlaComputation> computation = b.Build();
  EXPECT_EQ(computation.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(computation.status().message(),
              HasSubstr("model: dot: C10: contracting dimension 0"));
  EXPECT_FALSE(b.Build().ok());  // the error stays
}

TEST(XlaBuilderDeathTest, DiesImmediatelyIfAsked) {
  XlaBuilder b("model");
  b.set_die_immediately_on_error(true);
  XlaOp x = b.ConstantR0<bool>(true);
  EXPECT_DEATH(b.Exp(x), "exponential: I1");
}

TEST(XlaBuilderTest, ErrorsCarryTheSourcePlace) {
  XlaBuilder b("model");
  b.SetOpMetadata({{{"train.py", 12, 5}}, {}});
  b.Not(b.ConstantR0<float>(1));
  EXPECT_THAT(b.first_error().message(), HasSubstr("train.py:12:5: model: not: I1"));
}

TEST(XlaBuilderTest, MetadataGoesToInstructions) {
  XlaBuilder b("model");
  b.SetOpMetadata({{{"train.py", 12, 5}}, {"loss/exp"}});
  b.Exp(b.ConstantR0<float>(1));
  b.ClearOpMetadata();
  XlaComputation built = b.Build().value();
  EXPECT_EQ(built.module().entry()->root()->provenance.op_names,
            std::vector<std::string>{"loss/exp"});
}

TEST(XlaBuilderTest, Parameters) {
  XlaBuilder b("f");
  XlaOp y = b.Parameter(1, kScalar, "y");
  XlaOp x = b.Parameter(0, kScalar, "x");
  b.Sub(x, y);
  EXPECT_EQ(BuildAndRun(b, {LiteralUtil::One(S32), LiteralUtil::Zero(S32)}), "1");

  XlaBuilder missing("f");
  missing.Parameter(1, kScalar);
  EXPECT_THAT(BuildAndRun(missing), HasSubstr("parameter 0 is missing"));
  XlaBuilder twice("f");
  twice.Parameter(0, kScalar);
  twice.Parameter(0, kScalar);
  EXPECT_THAT(BuildAndRun(twice), HasSubstr("number 0 is taken"));
  XlaBuilder negative("f");
  negative.Parameter(-1, kScalar);
  EXPECT_THAT(BuildAndRun(negative), HasSubstr("number -1"));
  XlaBuilder empty("f");
  EXPECT_THAT(BuildAndRun(empty), HasSubstr("nothing to build"));
}

TEST(XlaBuilderTest, OpsOfOtherBuilders) {
  XlaBuilder a("a"), b("b");
  XlaOp x = a.ConstantR0<float>(1);
  b.Exp(x);
  EXPECT_THAT(b.Build().status().message(), HasSubstr("belongs to another builder"));
  XlaBuilder c("c");
  c.Exp(XlaOp());
  EXPECT_THAT(c.Build().status().message(), HasSubstr("was never built"));
}

TEST(XlaBuilderTest, Constants) {
  XlaBuilder b("f");
  b.Tuple({b.ConstantR0<bool>(true), b.ConstantR0<int64_t>(-5), b.ConstantR0<uint32_t>(7),
           b.ConstantR0<double>(0.1), b.ConstantR1<float>({1.5f, 2}), b.ConstantR1<int32_t>(3, 9),
           b.ConstantR2<float>({{1, 2}, {3, 4}}), b.ConstantR0<std::complex<float>>({1, -2}),
           b.ConstantLiteral(LiteralUtil::One(BF16))});
  EXPECT_EQ(BuildAndRun(b),
            "(true, -5, 7, 0.1, {1.5, 2}, {9, 9, 9}, { {1, 2}, {3, 4} }, (1, -2), 1)");
  XlaBuilder ragged("f");
  ragged.ConstantR2<float>({{1, 2}, {3}});
  EXPECT_THAT(BuildAndRun(ragged), HasSubstr("nested lists differ in length"));
}

TEST(XlaBuilderTest, ReturnValue) {
  XlaBuilder b("f");
  XlaOp one = b.ConstantR0<int32_t>(1);
  XlaOp two = b.Add(one, one);
  b.Add(two, two);
  EXPECT_EQ(BuildAndRun(b), "4");  // the result is the last op
  one = b.ConstantR0<int32_t>(1);
  two = b.Add(one, one);
  ASSERT_TRUE(b.SetReturnValue(two).ok());
  b.Add(two, two);
  EXPECT_EQ(BuildAndRun(b), "2");
  XlaOp three = b.ConstantR0<int32_t>(3);
  b.Neg(three);
  EXPECT_EQ(b.Build(three).value().module().entry()->root()->literal.ToString(), "3");
}

TEST(XlaBuilderTest, Shapes) {
  XlaBuilder b("f");
  XlaOp x = b.Parameter(0, ShapeUtil::MakeShape(F32, {2, 3}));
  EXPECT_EQ(b.GetShape(b.Transpose(x, {1, 0}))->ToString(), "f32[3,2]");
  EXPECT_TRUE(b.CheckShape(x, ShapeUtil::MakeShape(F32, {2, 3})).valid());
  b.CheckSameShape(x, b.Neg(x));
  EXPECT_TRUE(b.first_error().ok());
}

TEST(XlaBuilderDeathTest, CheckShapeAborts) {
  XlaBuilder b("f");
  XlaOp x = b.Parameter(0, ShapeUtil::MakeShape(F32, {2, 3}), "x");
  XlaOp y = b.Parameter(1, ShapeUtil::MakeShape(F32, {3, 2}), "y");
  EXPECT_DEATH(b.CheckShape(x, ShapeUtil::MakeShape(F32, {3, 2})),
               "f: x: expected f32.3,2., is f32.2,3.");
  EXPECT_DEATH(b.CheckSameShape(x, y), "x: expected f32.3,2., is f32.2,3.");
  EXPECT_DEATH(b.CheckShape(XlaOp(), Shape::Scalar(F32)), "not an op of this builder");
}

TEST(XlaBuilderTest, SubBuildersNoteErrorsInTheParent) {
  XlaBuilder b("parent");
  std::unique_ptr<XlaBuilder> sub = b.CreateSubBuilder("sub");
  sub->Exp(sub->ConstantR0<int32_t>(1));
  XlaComputation nothing = sub->BuildAndNoteError();
  EXPECT_TRUE(nothing.IsNull());
  EXPECT_THAT(b.first_error().message(), HasSubstr("sub: exponential: I1"));
  XlaBuilder other("other");
  other.Call(nothing, {});
  EXPECT_THAT(other.Build().status().message(), HasSubstr("was not built"));
}

TEST(XlaBuilderTest, ComputeConstant) {
  XlaBuilder b("f");
  XlaOp p = b.Parameter(0, kScalar);
  XlaOp six = b.Mul(b.ConstantR0<int32_t>(2), b.ConstantR0<int32_t>(3));
  XlaOp sum = b.ReduceAll(b.Broadcast(six, {4}), b.ConstantR0<int32_t>(0), AddComputation(S32));
  EXPECT_EQ(b.ComputeConstant(sum)->ToString(), "24");
  EXPECT_TRUE(*b.IsConstant(sum));
  EXPECT_FALSE(*b.IsConstant(b.Add(sum, p)));
  EXPECT_THAT(b.ComputeConstant(b.Add(sum, p)).status().message(),
              HasSubstr("depends on a parameter"));
  b.Add(sum, p);
  EXPECT_EQ(BuildAndRun(b, {LiteralUtil::One(S32)}), "25");  // the builder is unchanged
}

TEST(XlaBuilderTest, CalledComputationsAreImportedOnce) {
  XlaComputation add = AddComputation(S32);
  XlaBuilder b("f");
  XlaOp x = b.ConstantR0<int32_t>(1);
  for (int i = 0; i < 3; ++i) x = b.Call(add, {x, x});
  XlaComputation built = b.Build().value();
  EXPECT_EQ(built.module().computations().size(), 2u);
  hlo::Evaluator evaluator;
  EXPECT_EQ(evaluator.Run(built.module(), {})->ToString(), "8");
}

TEST(XlaBuilderTest, While) {
  // The example of XLA's documentation: 1000 × c, with a state (s32, f32[10]).
  Shape state = ShapeUtil::MakeTupleShape({kScalar, ShapeUtil::MakeShape(F32, {10})});
  XlaBuilder condition("condition");
  condition.Lt(condition.GetTupleElement(condition.Parameter(0, state), 0),
               condition.ConstantR0<int32_t>(1000));
  XlaBuilder body("body");
  XlaOp s = body.Parameter(0, state);
  XlaOp i = body.Add(body.GetTupleElement(s, 0), body.ConstantR0<int32_t>(1));
  XlaOp sum = body.Add(body.GetTupleElement(s, 1), body.ConstantR0<float>(0.5f));
  body.Tuple({i, sum});
  XlaBuilder b("f");
  XlaOp init = b.Tuple({b.ConstantR0<int32_t>(0), b.ConstantR1<float>(10, 0.0f)});
  b.While(condition.Build().value(), body.Build().value(), init);
  EXPECT_EQ(BuildAndRun(b), "(1000, {500, 500, 500, 500, 500, 500, 500, 500, 500, 500})");
}

TEST(XlaBuilderTest, Conditionals) {
  auto plus = [](int32_t value) {
    XlaBuilder b("branch");
    b.Add(b.Parameter(0, kScalar), b.ConstantR0<int32_t>(value));
    return b.Build().value();
  };
  XlaComputation ten = plus(10), twenty = plus(20), thirty = plus(30);
  for (bool pred : {true, false}) {
    XlaBuilder b("f");
    b.Conditional(b.ConstantR0<bool>(pred), b.ConstantR0<int32_t>(1), ten, b.ConstantR0<int32_t>(2),
                  twenty);
    EXPECT_EQ(BuildAndRun(b), pred ? "11" : "22");
  }
  for (int32_t index : {-1, 0, 1, 2, 3}) {
    XlaBuilder b("f");
    XlaOp x = b.ConstantR0<int32_t>(1);
    b.Conditional(b.ConstantR0<int32_t>(index), {&ten, &twenty, &thirty}, {x, x, x});
    EXPECT_EQ(BuildAndRun(b), index == 0 ? "11" : index == 1 ? "21" : "31");
  }
}

}  // namespace
}  // namespace halyard
