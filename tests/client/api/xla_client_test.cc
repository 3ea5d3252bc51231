// The client API, on the reference evaluator, x86 and Vulkan.
#include "client/api/xla_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include "client/reports/trace.h"

namespace {

using testing::HasSubstr;
using xla::Client;
using xla::ClientLibrary;
using xla::ComputationBuilder;
using xla::F32;
using xla::GlobalData;
using xla::Literal;
using xla::LiteralUtil;
using xla::Shape;
using xla::ShapeUtil;

class XlaClientTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    setenv("HALYARD_TARGET", GetParam(), 1);
    client_ = ClientLibrary::ClientLibraryOrDie();
  }
  std::unique_ptr<GlobalData> Put(const Literal& literal) {
    return client_->TransferToServer(literal).ConsumeValueOrDie();
  }
  std::string Get(const GlobalData& data) {
    return client_->Transfer(data).ConsumeValueOrDie()->ToString();
  }
  // (x f32[2], y f32[2]) -> x - y
  std::unique_ptr<xla::Computation> Difference() {
    ComputationBuilder b(client_, "difference");
    auto x = b.Parameter(0, ShapeUtil::MakeShape(F32, {2}), "x");
    auto y = b.Parameter(1, ShapeUtil::MakeShape(F32, {2}), "y");
    b.Sub(x, y);
    return b.Build().ConsumeValueOrDie();
  }
  Client* client_ = nullptr;
};

TEST_P(XlaClientTest, TheTargetIsTheOneOfTheEnvironment) {
  EXPECT_EQ(client_->target().text.substr(0, std::string(GetParam()).size()), GetParam());
  EXPECT_EQ(client_, ClientLibrary::LocalClientOrDie());  // all callers share one
  ComputationBuilder b(client_, "f");
  EXPECT_EQ(b.client(), client_);
  EXPECT_EQ(b.name(), "f");
}

TEST_P(XlaClientTest, DataIsReusedOverExecutions) {
  auto difference = Difference();
  auto x = Put(LiteralUtil::CreateR1<float>({10, 20}));
  auto y = client_->TransferInProcess(LiteralUtil::CreateR1<float>({1, 2})).ConsumeValueOrDie();
  EXPECT_EQ(x->shape().ToString(), "f32[2]");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client_->ExecuteAndTransfer(*difference, {x.get(), y.get()})
                  .ConsumeValueOrDie()
                  ->ToString(),
              "{9, 18}");
  }
  // A result can be an argument, and an argument can be given twice.
  auto once = client_->Execute(*difference, {x.get(), y.get()}).ConsumeValueOrDie();
  auto twice = client_->Execute(*difference, {once.get(), y.get()}).ConsumeValueOrDie();
  once.reset();  // unregistered, but results made from it stay
  EXPECT_EQ(Get(*twice), "{8, 16}");
  EXPECT_EQ(Get(*client_->Execute(*difference, {x.get(), x.get()}).ConsumeValueOrDie()), "{0, 0}");
}

TEST_P(XlaClientTest, ComputationsRunInParallelOnDeviceHandles) {
  auto client = Client::Create({.target = GetParam(), .num_devices = 3}).ConsumeValueOrDie();
  EXPECT_EQ(client->device_count(), 3);
  EXPECT_EQ(client->GetDeviceHandles(4).status().message(),
            "asked for 4 devices; the client has 3");
  const std::vector<xla::DeviceHandle> devices = client->GetDeviceHandles(3).ConsumeValueOrDie();
  auto x = client->TransferToServer(LiteralUtil::CreateR1<float>({10, 20}), &devices[2])
               .ConsumeValueOrDie();
  EXPECT_EQ(x->device().handle(), 2);
  auto y = client->CopyToDevice(*x, devices[1]).ConsumeValueOrDie();
  EXPECT_EQ(y->device().handle(), 1);

  // One computation sends what the other one receives, and the other way round.
  const auto exchange = [&](int64_t sent, int64_t received) {
    xla::XlaBuilder b("exchange");
    auto mine = xla::Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "mine");
    auto token = xla::CreateToken(&b);
    xla::ChannelHandle out, in;
    out.handle = sent;
    in.handle = received;
    auto after = xla::SendWithToken(mine, token, out);
    auto theirs =
        xla::GetTupleElement(xla::RecvWithToken(after, ShapeUtil::MakeShape(F32, {2}), in), 0);
    xla::Sub(mine, theirs);
    return b.Build().value();
  };
  const xla::XlaComputation first = exchange(1, 2), second = exchange(2, 1);
  auto z = client->TransferToServer(LiteralUtil::CreateR1<float>({1, 2}), &devices[1])
               .ConsumeValueOrDie();
  xla::ExecutionOptions on_one, on_two;
  on_one.add_device_handles(devices[1]);
  on_two.add_device_handles(devices[2]);
  auto run = client->ExecuteParallel({{first, {x.get()}, on_two}, {second, {z.get()}, on_one}});
  if (GetParam() != std::string("reference")) {
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_EQ(client->Transfer(*(*run)[0]).ConsumeValueOrDie()->ToString(), "{9, 18}");
    EXPECT_EQ(client->Transfer(*(*run)[1]).ConsumeValueOrDie()->ToString(), "{-9, -18}");
    EXPECT_EQ((*run)[0]->device().handle(), 2);
    EXPECT_EQ((*run)[1]->device().handle(), 1);
    // Alone, it waits for a message that nobody sends.
    run = client->ExecuteParallel({{first, {x.get()}, on_two}});
    EXPECT_EQ(run.status().code(), absl::StatusCode::kDeadlineExceeded) << run.status();
  }
  xla::ExecutionOptions two;
  two.add_device_handles(devices[0]);
  two.add_device_handles(devices[1]);
  run = client->ExecuteParallel({{*Difference(), {x.get(), x.get()}, two}});
  EXPECT_THAT(std::string(run.status().message()), HasSubstr("2 devices for 1 processes"));
}

TEST_P(XlaClientTest, CompileOnceRunMany) {
  xla::ExecutionHandle handle = client_->Compile(*Difference()).ConsumeValueOrDie();
  EXPECT_EQ(handle.result_shape().ToString(), "f32[2]");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      auto x = Put(LiteralUtil::CreateR1<float>({1.0f * t, 5}));
      auto y = Put(LiteralUtil::CreateR1<float>({1, 1}));
      for (int i = 0; i < 10; ++i) {
        auto result = client_->Execute(handle, {x.get(), y.get()}).ConsumeValueOrDie();
        EXPECT_EQ(Get(*result), absl::StrCat("{", t - 1, ", 4}"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(XlaClientTest, TuplesInAndOut) {
  xla::XlaBuilder b("swap");  // the newer builder works with the same client
  Shape pair = ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeShape(F32, {2}), ShapeUtil::MakeShape(xla::S32, {})});
  xla::XlaOp p = xla::Parameter(&b, 0, pair, "p");
  xla::Tuple(&b, {xla::GetTupleElement(p, 1), -xla::GetTupleElement(p, 0)});
  xla::XlaComputation swap = b.Build().value();
  auto data = Put(LiteralUtil::MakeTuple(
      {LiteralUtil::CreateR1<float>({1, 2}), LiteralUtil::CreateR0<int32_t>(7)}));
  EXPECT_EQ(Get(*data), "({1, 2}, 7)");
  auto result = client_->Execute(swap, {data.get()}).ConsumeValueOrDie();
  EXPECT_EQ(Get(*result), "(7, {-1, -2})");
  auto elements = client_->DeconstructTuple(*result).ConsumeValueOrDie();
  ASSERT_EQ(elements.size(), 2u);
  result.reset();
  EXPECT_EQ(Get(*elements[0]), "7");
  EXPECT_EQ(Get(*elements[1]), "{-1, -2}");
  EXPECT_FALSE(client_->DeconstructTuple(*elements[0]).ok());
}

TEST_P(XlaClientTest, ComputationsWithoutArguments) {
  ComputationBuilder b(client_, "seven");
  auto six = b.ConstantR0<float>(6);
  auto seven = b.Add(six, b.ConstantR0<float>(1));
  auto constant = b.ComputeConstant(seven).ConsumeValueOrDie();
  EXPECT_EQ(Get(*constant), "7");
  EXPECT_EQ(b.GetShape(seven).ConsumeValueOrDie()->ToString(), "f32[]");
  xla::Layout columns = xla::LayoutUtil::MakeLayout({0, 1});
  auto matrix = b.ComputeConstant(b.ConstantR2<float>({{1, 2}, {3, 4}}), &columns);
  EXPECT_EQ(matrix.ValueOrDie()->shape().ToString(), "f32[2,2]{0,1}");
  ASSERT_TRUE(b.SetReturnValue(seven).ok());
  auto computation = b.Build().ConsumeValueOrDie();
  EXPECT_EQ(client_->ComputeConstant(*computation).ConsumeValueOrDie()->ToString(), "7");
  EXPECT_EQ(client_->ExecuteAndTransfer(*computation).ConsumeValueOrDie()->ToString(), "7");
}

TEST_P(XlaClientTest, SubBuildersAndErrors) {
  ComputationBuilder b(client_, "f");
  auto sub = b.CreateSubBuilder("sub");
  EXPECT_EQ(sub->client(), client_);
  sub->Exp(sub->ConstantR0<bool>(true));
  auto nothing = sub->BuildAndNoteError();
  EXPECT_TRUE(nothing->IsNull());
  EXPECT_THAT(b.Build().status().message(), HasSubstr("sub: exponential: I1"));
  EXPECT_THAT(client_->Execute(*nothing).status().message(), HasSubstr("was not built"));

  ComputationBuilder m(client_, "map");
  auto body = m.CreateSubBuilder("body");
  Shape scalar = ShapeUtil::MakeShape(F32, {});
  body->Mul(body->Parameter(0, scalar, "x"), body->Parameter(1, scalar, "factor"));
  auto times = body->BuildAndNoteError();
  auto x = m.ConstantR1<float>({1, 2});
  std::vector<xla::ComputationDataHandle> operands = {x}, factors = {m.ConstantR0<float>(3)};
  m.Map(operands, *times, factors);
  auto computation = m.Build().ConsumeValueOrDie();
  EXPECT_EQ(client_->ExecuteAndTransfer(*computation).ConsumeValueOrDie()->ToString(), "{3, 6}");
}

TEST_P(XlaClientTest, WrongArgumentsAreNamed) {
  auto difference = Difference();
  auto x = Put(LiteralUtil::CreateR1<float>({10, 20}));
  auto wrong = Put(LiteralUtil::CreateR1<int32_t>({10, 20}));
  auto message = [&](std::vector<GlobalData*> arguments) {
    return std::string(client_->Execute(*difference, arguments).status().message());
  };
  EXPECT_THAT(message({x.get()}), HasSubstr("takes 2 arguments; 1 were given"));
  EXPECT_THAT(message({x.get(), wrong.get()}),
              HasSubstr("argument 1 is s32[2]; the computation takes f32[2]"));
  EXPECT_THAT(message({nullptr, x.get()}), HasSubstr("argument 0 is no value of this client"));
  EXPECT_TRUE(client_->Unregister(x.get()).ok());
  EXPECT_THAT(message({x.get(), x.get()}), HasSubstr("argument 0 is no value of this client"));
  EXPECT_FALSE(client_->Transfer(*x).ok());
  Shape other = ShapeUtil::MakeShape(F32, {3});
  EXPECT_FALSE(client_->Transfer(*wrong, &other).ok());
}

TEST_P(XlaClientTest, ResultsInALayout) {
  xla::XlaBuilder b("f");
  xla::ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}});
  xla::XlaComputation computation = b.Build().value();
  Shape columns = ShapeUtil::MakeShapeWithLayout(F32, {2, 3}, {0, 1});
  auto result = client_->ExecuteAndTransfer(computation, {}, &columns).ConsumeValueOrDie();
  EXPECT_EQ(result->shape().ToString(), "f32[2,3]{0,1}");
  EXPECT_EQ(result->ToString(), "{ {1, 2, 3}, {4, 5, 6} }");
}

TEST_P(XlaClientTest, TraceShowsValues) {
  std::vector<std::string> seen;
  halyard::SetTraceSink([&](const std::string& tag, const Literal& value) {
    seen.push_back(tag + " " + value.ToString());
  });
  xla::XlaBuilder b("f");
  xla::XlaOp x = xla::Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");
  xla::XlaOp twice = x + x;
  xla::Trace("twice, of \"x\"", twice);
  b.Neg(twice);
  xla::XlaComputation computation = b.Build().value();
  auto data = Put(LiteralUtil::CreateR1<float>({1, 2}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(
        client_->ExecuteAndTransfer(computation, {data.get()}).ConsumeValueOrDie()->ToString(),
        "{-2, -4}");
  }
  EXPECT_EQ(seen, std::vector<std::string>(2, "twice, of \"x\" {2, 4}"));
  halyard::SetTraceSink(nullptr);
}

// Methods of the builder that expand to several ops must give the reference's results.
TEST_P(XlaClientTest, SugarRunsEverywhere) {
  using xla::XlaBuilder;
  using xla::XlaOp;
  auto scalars = [](int count, const std::function<void(std::vector<XlaOp>)>& body) {
    XlaBuilder b("body");
    std::vector<XlaOp> parameters;
    for (int i = 0; i < count; ++i) {
      parameters.push_back(b.Parameter(i, ShapeUtil::MakeShape(F32, {})));
    }
    body(parameters);
    return b.Build().value();
  };
  xla::XlaComputation greater = scalars(2, [](auto p) { xla::Gt(p[0], p[1]); });
  XlaBuilder body("body");
  XlaOp element = body.Parameter(0, ShapeUtil::MakeShape(F32, {}));
  XlaOp table = body.Parameter(1, ShapeUtil::MakeShape(F32, {3}));
  element* xla::Reshape(xla::Slice(table, {1}, {2}), {});
  xla::XlaComputation scaled = body.Build().value();
  auto matrix = [](XlaBuilder* b) {
    return xla::Reshape(xla::Iota(b, F32, 9), {3, 3}) - xla::ConstantR0<float>(b, 4.5f);
  };
  std::vector<std::pair<const char*, std::function<void(XlaBuilder*)>>> programs = {
      {"einsum", [&](XlaBuilder* b) { xla::Einsum(matrix(b), matrix(b), "ab,cb->ca"); }},
      {"diagonals", [&](XlaBuilder* b) { xla::Einsum(matrix(b), matrix(b), "aa,bb->ab"); }},
      {"unary einsum", [&](XlaBuilder* b) { xla::Einsum(matrix(b), "ab->b"); }},
      {"index select",
       [&](XlaBuilder* b) {
         xla::TorchIndexSelect(matrix(b), b->ConstantR1<int32_t>({2, 0, 2, 1}), 1);
       }},
      {"static operands",
       [&](XlaBuilder* b) {
         xla::Map(b, {matrix(b)}, scaled, {}, {b->ConstantR1<float>({1, 7, 2})});
       }},
      {"top k", [&](XlaBuilder* b) { xla::TopK(matrix(b), 2, greater); }},
      {"tuples",
       [&](XlaBuilder* b) {
         XlaOp x = matrix(b), pair = xla::Tuple(b, {x, x + x}), other = xla::Tuple(b, {-x, x});
         xla::Select(b->ConstantR0<bool>(false), pair, other);
       }},
      {"broadcasting",
       [&](XlaBuilder* b) {
         XlaOp row = b->ConstantR1<float>({1, 2, 3});
         xla::Add(xla::Mul(matrix(b), row, {0}), xla::Reshape(row, {1, 3}));
       }},
      {"coins",
       [&](XlaBuilder* b) {
         XlaOp coins =
             xla::RngBernoulli(b->ConstantR0<float>(1), ShapeUtil::MakeShape(xla::U32, {5}));
         xla::Add(coins, coins);
       }},
  };
  Client* reference = ClientLibrary::GetOrCreate({.target = "reference"}).ConsumeValueOrDie();
  for (const auto& [name, build] : programs) {
    XlaBuilder b("program");
    build(&b);
    xla::XlaComputation computation = b.Build().value();
    auto want = reference->ExecuteAndTransfer(computation);
    ASSERT_TRUE(want.ok()) << name << ": " << want.status();
    auto got = client_->ExecuteAndTransfer(computation);
    ASSERT_TRUE(got.ok()) << name << ": " << got.status();
    EXPECT_EQ((*got)->ToString(), (*want)->ToString()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, XlaClientTest, testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ClientLibraryTest, UnknownTargets) {
  halyard::ClientOptions options;
  options.target = "abacus";
  EXPECT_FALSE(ClientLibrary::GetOrCreate(options).ok());
  setenv("HALYARD_TARGET", "abacus", 1);
  EXPECT_DEATH(ClientLibrary::ClientLibraryOrDie(), "abacus");
}

TEST(ClientLibraryTest, InPlaceIfAligned) {
  halyard::ClientOptions options;
  options.target = "x86";
  Client* client = ClientLibrary::GetOrCreate(options).ConsumeValueOrDie();
  auto* memory = static_cast<float*>(std::aligned_alloc(64, 64));
  for (int i = 0; i < 16; ++i) memory[i] = static_cast<float>(i);
  std::shared_ptr<const void> owner(memory, std::free);
  Literal literal = Literal::Borrow(ShapeUtil::MakeShape(F32, {16}),
                                    reinterpret_cast<const std::byte*>(memory), owner);
  auto data = client->TransferInProcess(literal).ConsumeValueOrDie();
  EXPECT_GE(owner.use_count(), 3);  // here, in the literal and in the buffer
  memory[0] = 42;
  EXPECT_EQ(client->Transfer(*data).ConsumeValueOrDie()->GetFloat(0), 42);
  data.reset();
  EXPECT_EQ(owner.use_count(), 2);
}

}  // namespace
