#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "frontend/builder/xla_ops.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/process_grid.h"
#include "tests/frontend/builder/run_computation.h"
#include "tests/frontend/builder/run_ops.h"

namespace halyard {
namespace {

using testing::HasSubstr;

TEST(XlaMethodsTest, CompositeAndCustomCalls) {
  XlaComputation twice = Scalars(F32, 1, [](auto p) { p[0] + p[0]; });
  XlaBuilder b("f");
  CompositeCall(&b, twice, {ConstantR0<float>(&b, 4)}, "foo.bar", "{n = 1 : i32}", 2);
  XlaComputation built = b.Build().value();
  const hlo::Instruction* call = built.module().entry()->root();
  EXPECT_TRUE(call->GetBool(hlo::Attr::kIsComposite));
  EXPECT_EQ(
      call->GetString(hlo::Attr::kFrontendAttributes),
      "{composite.name=\"foo.bar\",composite.attributes={n = 1 : i32},composite.version=\"2\"}");
  EXPECT_EQ(hlo::Evaluator().Run(built.module(), {})->ToString(), "8");
  for (const char* name : {"", "foo", "1.a", "foo.", "foo..bar", "fo$o.bar", "foo.b-r"}) {
    EXPECT_THAT(
        RunOps([&](XlaBuilder* b) { CompositeCall(b, twice, {ConstantR0<float>(b, 4)}, name); }),
        HasSubstr("C1: "))
        << name;
  }
  EXPECT_EQ(
      RunOps([&](XlaBuilder* b) { CompositeCall(b, twice, {ConstantR0<float>(b, 4)}, "a.b.c$"); }),
      "8");

  // The example myfunc of XLA's documentation: z[0][0] = x[1] + y[1][0].
  XlaBuilder c("f");
  c.CustomCallOp("myfunc", {c.ConstantR1<float>({1, 2}), c.ConstantR1<float>({3})},
                 ShapeUtil::MakeShape(F32, {3, 3}));
  XlaComputation custom = c.Build().value();
  hlo::Evaluator evaluator;
  evaluator.custom_call = [](const hlo::Instruction& inst, absl::Span<const Literal> operands) {
    EXPECT_EQ(inst.GetString(hlo::Attr::kCustomCallTarget), "myfunc");
    return absl::StatusOr<Literal>(
        Literal::Splat(inst.shape, Literal::Splat(Shape::Scalar(F32), LiteralUtil::One(F32))));
  };
  EXPECT_EQ(evaluator.Run(custom.module(), {})->shape().ToString(), "f32[3,3]");
}

TEST(XlaMethodsTest, TraceHasNoResult) {
  XlaBuilder b("f");
  XlaOp x = b.ConstantR1<float>({1, 2});
  b.Neg(x);
  Trace("a, \"tag\"", x);
  XlaComputation built = b.Build().value();
  EXPECT_EQ(built.module().entry()->root()->opcode, hlo::Opcode::kNegate);
  EXPECT_TRUE(hlo::HasSideEffect(*built.module().entry()->instructions().back()));
}

TEST(XlaMethodsTest, OpsAfterTheReturnValueHaveNoEffect) {
  XlaBuilder b("f");
  XlaOp x = b.Parameter(0, Shape::Scalar(F32), "x");
  ASSERT_TRUE(b.SetReturnValue(b.Neg(x)).ok());
  Trace("late", x);
  b.Call(AddComputation(F32), {x, x});
  b.Parameter(1, Shape::Scalar(F32), "unused");
  XlaComputation built = b.Build().value();
  EXPECT_EQ(built.module().entry()->instructions().size(), 3u);
  EXPECT_EQ(built.module().computations().size(), 1u);
  EXPECT_EQ(built.module().entry()->num_parameters(), 2);
  EXPECT_EQ(built.module().entry()->name(), "f");
  XlaBuilder again("f");
  XlaOp two = again.ConstantR0<int32_t>(2);
  ASSERT_TRUE(again.SetReturnValue(two).ok());
  XlaOp four = again.Add(two, two);
  ASSERT_TRUE(again.SetReturnValue(four).ok());  // the last call counts
  again.Add(four, four);
  EXPECT_EQ(BuildAndRun(again), "4");
}

TEST(XlaMethodsTest, ComputeConstantWithLayout) {
  XlaBuilder b("f");
  XlaOp x = b.ConstantR2<float>({{1, 2, 3}, {4, 5, 6}});
  Layout columns = LayoutUtil::MakeLayout({0, 1});
  absl::StatusOr<Literal> value = b.ComputeConstant(b.Neg(x), &columns);
  EXPECT_EQ(value->shape().ToString(), "f32[2,3]{0,1}");
  EXPECT_EQ(value->ToString(), "{ {-1, -2, -3}, {-4, -5, -6} }");
  Layout wrong = LayoutUtil::MakeLayout({0, 0});
  EXPECT_THAT(b.ComputeConstant(x, &wrong).status().message(), HasSubstr("no permutation"));
  EXPECT_THAT(b.ComputeConstant(b.ReplicaId()).status().message(),
              HasSubstr("only a run can know"));
  ASSERT_TRUE(b.Build(x).ok());
  EXPECT_FALSE(b.ComputeConstant(x).ok());  // a Build came in between
  EXPECT_FALSE(b.LtTotalOrder(x, x).valid());
  EXPECT_THAT(b.first_error().message(), HasSubstr("was built already"));
}

TEST(XlaMethodsTest, DefaultOpsDoNotCrash) {
  XlaOp none;
  XlaComputation nothing;
  EXPECT_FALSE(Add(none, none).valid());
  EXPECT_FALSE(Transpose(none, {0}).valid());
  EXPECT_FALSE(Conditional(none, none, nothing, none, nothing).valid());
  EXPECT_FALSE(Sort({none, none}, nothing).valid());
  EXPECT_FALSE(Einsum(none, none, "a,a->a").valid());
  EXPECT_FALSE(AllGather(none, 0, 2).valid());
  EXPECT_FALSE(ConvGeneralDilated(none, none, {}, {}, {}, {}, {}).valid());
  Trace("t", none);
  Send(none, {1});
  XlaBuilder b("f");
  XlaOp x = b.ConstantR0<float>(1);
  EXPECT_FALSE(Add(none, x).valid());
  EXPECT_THAT(b.Build().status().message(), HasSubstr("add: an operand was never built"));
}

TEST(XlaMethodsTest, SubBuildersInheritTheDieFlag) {
  XlaBuilder b("parent");
  b.set_die_immediately_on_error(true);
  std::unique_ptr<XlaBuilder> sub = b.CreateSubBuilder("sub");
  XlaOp x = sub->ConstantR0<bool>(true);
  EXPECT_DEATH(sub->Exp(x), "sub: exponential: I1");
}

// Returns the result of each process of a grid.
std::vector<std::string> RunProcesses(XlaBuilder& b, std::vector<std::vector<Literal>> arguments,
                                      std::vector<hlo::ProcessHost>* hosts = nullptr) {
  absl::StatusOr<XlaComputation> built = b.Build();
  if (!built.ok()) return {std::string(built.status().message())};
  hlo::GridOptions options;
  options.hosts = hosts;
  auto results = hlo::RunGrid(built->module(), arguments, options);
  if (!results.ok()) return {std::string(results.status().message())};
  std::vector<std::string> texts;
  for (const Literal& result : *results) texts.push_back(result.ToString());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(XlaMethodsTest, Collectives) {
  Shape two = ShapeUtil::MakeShape(F32, {2});
  std::vector<std::vector<Literal>> inputs = {{LiteralUtil::CreateR1<float>({1, 2.5f})},
                                              {LiteralUtil::CreateR1<float>({3, 5.25f})}};
  auto run = [&](const std::function<void(XlaOp)>& op) {
    XlaBuilder b("f");
    b.SetProcessGrid(2, 1);
    op(b.Parameter(0, two, "x"));
    return RunProcesses(b, inputs);
  };
  auto both = [](const char* text) { return Texts{text, text}; };
  EXPECT_EQ(run([](XlaOp x) { AllGather(x, 0, 2); }), both("{1, 2.5, 3, 5.25}"));
  EXPECT_EQ(run([](XlaOp x) { AllGather(x, 0, 2, {{1, 0}}); }), both("{3, 5.25, 1, 2.5}"));
  EXPECT_EQ(run([](XlaOp x) { AllReduce(x, AddComputation(F32)); }), both("{4, 7.75}"));
  EXPECT_EQ(run([](XlaOp x) {
              AllReduce(Tuple(x.builder(), {x, -x}), AddComputation(F32));
            }),
            both("({4, 7.75}, {-4, -7.75})"));
  EXPECT_EQ(run([](XlaOp x) { AllReduce(Tuple(x.builder(), {x}), AddComputation(F32)); }),
            both("({4, 7.75})"));
  EXPECT_EQ(run([](XlaOp x) { CrossReplicaSum(x); }), both("{4, 7.75}"));
  EXPECT_EQ(run([](XlaOp x) { ReduceScatter(x, AddComputation(F32), 0, 2); }),
            (Texts{"{4}", "{7.75}"}));
  EXPECT_EQ(run([](XlaOp x) { AllToAll(x, 0, 0, 2); }), (Texts{"{1, 3}", "{2.5, 5.25}"}));
  EXPECT_EQ(run([](XlaOp x) { CollectivePermute(x, {{0, 1}}); }), (Texts{"{0, 0}", "{1, 2.5}"}));
  EXPECT_EQ(run([](XlaOp x) { CollectiveBroadcast(x, {{1, 0}}); }), both("{3, 5.25}"));
  EXPECT_EQ(run([](XlaOp x) { x.builder()->ReplicaId(); }), (Texts{"0", "1"}));
  EXPECT_EQ(run([](XlaOp x) { PartitionId(x.builder()); }), both("0"));
  EXPECT_THAT(run([](XlaOp x) {
                AllGather(x, 0, 3, {{1, 0}});
              })[0],
              HasSubstr("shard_count is 3, but a replica group has 2 members"));
  EXPECT_THAT(run([](XlaOp x) { ReduceScatter(x, AddComputation(F32), 0, 4); })[0],
              HasSubstr("C1: "));
  EXPECT_THAT(run([](XlaOp x) { AllGather(x, 1, 2); })[0], HasSubstr("C1: "));
}

TEST(XlaMethodsTest, SendAndRecv) {
  XlaBuilder b("f");
  b.SetProcessGrid(1, 1);
  ChannelHandle up{1, ChannelHandle::DEVICE_TO_HOST}, down{2, ChannelHandle::HOST_TO_DEVICE};
  XlaOp x = Recv(&b, ShapeUtil::MakeShape(F32, {2}), down);
  Send(x + x, up);
  ASSERT_TRUE(b.first_error().ok()) << b.first_error();
  b.Neg(x);
  std::vector<hlo::ProcessHost> hosts(1);
  hosts[0].to_device[2].push_back(LiteralUtil::CreateR1<float>({1, 2}));
  EXPECT_EQ(RunProcesses(b, {{}}, &hosts), (Texts{"{-1, -2}"}));
  ASSERT_EQ(hosts[0].to_host[1].size(), 1u);
  EXPECT_EQ(hosts[0].to_host[1][0].ToString(), "{2, 4}");
  XlaBuilder wrong("f");
  Recv(&wrong, ShapeUtil::MakeShape(F32, {2}), up);
  EXPECT_THAT(wrong.Build().status().message(), HasSubstr("recv: C1: "));
}

TEST(XlaMethodsTest, InfeedsAreTotallyOrdered) {
  Shape shape = ShapeUtil::MakeShape(S64, {2, 2});
  auto hosts = [] {
    std::vector<hlo::ProcessHost> result(1);
    result[0].infeed.push_back(LiteralUtil::CreateR2<int64_t>({{1, 2}, {3, 4}}));
    result[0].infeed.push_back(LiteralUtil::CreateR2<int64_t>({{5, 6}, {7, 8}}));
    return result;
  };
  XlaBuilder unordered("f");
  unordered.Tuple({unordered.Infeed(shape), unordered.Infeed(shape)});
  EXPECT_THAT(unordered.Build().status().message(), HasSubstr("must be totally ordered"));

  XlaBuilder tokens("f");
  XlaOp first = InfeedWithToken(CreateToken(&tokens), shape);
  XlaOp second = InfeedWithToken(GetTupleElement(first, 1), shape);
  Tuple(&tokens, {GetTupleElement(first, 0), GetTupleElement(second, 0)});
  auto queues = hosts();
  EXPECT_EQ(RunProcesses(tokens, {{}}, &queues),
            (Texts{"({ {1, 2}, {3, 4} }, { {5, 6}, {7, 8} })"}));
  EXPECT_TRUE(queues[0].infeed.empty());

  // A data dependence orders these loops, each of which reads one item.
  XlaBuilder condition("condition"), body("body");
  Shape scalar = Shape::Scalar(S64);
  Lt(condition.Parameter(0, scalar), ConstantR0<int64_t>(&condition, 1));
  XlaOp i = body.Parameter(0, scalar);
  i + ReduceAll(body.Infeed(shape), ConstantR0<int64_t>(&body, 0), AddComputation(S64));
  XlaComputation more = condition.Build().value(), step = body.Build().value();
  XlaBuilder loops("f");
  XlaOp sum = While(more, step, ConstantR0<int64_t>(&loops, 0));
  While(more, step, sum - ConstantR0<int64_t>(&loops, 10));
  queues = hosts();
  EXPECT_EQ(RunProcesses(loops, {{}}, &queues), (Texts{"26"}));
  XlaBuilder apart("f");
  XlaOp zero = ConstantR0<int64_t>(&apart, 0);
  While(more, step, zero) + While(more, step, zero);
  EXPECT_THAT(apart.Build().status().message(), HasSubstr("must be totally ordered"));

  XlaBuilder nothing("f");
  nothing.Infeed(Shape::Tuple({}));
  EXPECT_EQ(BuildAndRun(nothing), "()");
  XlaBuilder nested("f");
  nested.Infeed(Shape::Tuple({Shape::Tuple({scalar})}));
  EXPECT_THAT(nested.Build().status().message(), HasSubstr("infeed: C2: "));

  XlaBuilder out("f");
  XlaOp x = out.ConstantR1<int64_t>({7, 8});
  Outfeed(x, ShapeUtil::MakeShape(S64, {2}));
  out.Neg(x);
  std::vector<hlo::ProcessHost> sinks(1);
  EXPECT_EQ(RunProcesses(out, {{}}, &sinks), (Texts{"{-7, -8}"}));
  ASSERT_EQ(sinks[0].outfeed.size(), 1u);
  XlaBuilder mismatch("f");
  Outfeed(mismatch.ConstantR0<float>(1), ShapeUtil::MakeShape(F32, {2}));
  EXPECT_THAT(mismatch.Build().status().message(), HasSubstr("the operand is f32[], not f32[2]"));
}

}  // namespace
}  // namespace halyard
