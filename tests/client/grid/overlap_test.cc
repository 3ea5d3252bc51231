// Exchanges that begin early and end late, and HLO's and StableHLO's asynchronous pairs: what a
// process does between start and done does not wait for the others. On the fake CUDA driver, arrays
// go through host memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "absl/strings/str_replace.h"
#include "client/api/custom_call.h"
#include "tests/client/grid/job.h"
#include "tests/client/grid/random_collectives.h"

namespace halyard::testing {
namespace {

using hlo::Literal;
using ::testing::HasSubstr;

// Returns a client without libraries, as exchanges by NCCL do not overlap, or null if this machine
// lacks the target.
Client* ClientOf(const std::string& target) {
  // Never destroyed, as in clients.cc.
  static auto* clients = new std::map<std::string, std::unique_ptr<Client>>;
  auto [place, fresh] = clients->emplace(target, nullptr);
  if (!fresh) return place->second.get();
  auto client = Client::Create({.target = target, .use_libraries = false});
  if (client.ok()) place->second = *std::move(client);
  EXPECT_TRUE(client.ok() || absl::IsUnavailable(client.status())) << client.status();
  return place->second.get();
}

class OverlapTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    client_ = ClientOf(GetParam());
    if (client_ == nullptr) GTEST_SKIP() << "there is no " << GetParam();
  }
  std::unique_ptr<Executable> Compile(const std::string& text, const std::string& without = "") {
    auto module = ParseProgram(text, "p.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return nullptr;
    CompileOptions options;
    options.without = without;
    auto executable = client_->Compile(**module, options);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return executable.ok() ? *std::move(executable) : nullptr;
  }
  absl::StatusOr<Grids> RunAll(const std::string& text, const Grids& arguments) {
    auto executable = Compile(text);
    if (executable == nullptr) return absl::InternalError("not compiled");
    return executable->RunGridLiterals(arguments);
  }

  Client* client_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Targets, OverlapTest, ::testing::Values("x86", "vulkan", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

// Between start and done, process 0 tells process 1 something that it waits for before its start,
// and waits for something that process 1 says after its done. So the program ends only if process 0
// takes part in the exchange while it waits. $N is the number of elements.
std::string Conversation(int64_t elements) {
  constexpr char kText[] = R"(
keep {
  ROOT x = s32[$N] parameter(0)
}
hear_first {
  x = s32[$N] parameter(0)
  t = token[] after-all()
  r = (s32[$N], u32[], token[]) recv(t), channel_id=1
  e = (s32[$N], token[]) recv-done(r), channel_id=1
  y = s32[$N] get-tuple-element(e), index=0
  ROOT z = s32[$N] add(x, y)
}
talk {
  x = s32[$N] parameter(0)
  t = token[] after-all()
  s = (s32[$N], u32[], token[]) send(x, t), channel_id=1
  d = token[] send-done(s), channel_id=1
  r = (s32[$N], u32[], token[]) recv(d), channel_id=2
  e = (s32[$N], token[]) recv-done(r), channel_id=2
  ROOT y = s32[$N] get-tuple-element(e), index=0
}
tell {
  x = s32[$N] parameter(0)
  t = token[] after-all()
  s = (s32[$N], u32[], token[]) send(x, t), channel_id=2
  d = token[] send-done(s), channel_id=2
  ROOT y = s32[$N] negate(x)
}
ENTRY e {
  x = s32[$N] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  before = s32[$N] conditional(i, x, x), branch_computations={keep, hear_first}
  start = s32[$N] all-reduce-start(before), replica_groups={{0,1}}, to_apply=add
  between = s32[$N] conditional(i, x, x), branch_computations={talk, keep}
  sum = s32[$N] all-reduce-done(start)
  after = s32[$N] conditional(i, sum, sum), branch_computations={keep, tell}
  ROOT r = (s32[$N], s32[$N], s32[$N]) tuple(sum, between, after)
})";
  return absl::StrCat("HloModule m, replica_count=2\n", kAdd,
                      absl::StrReplaceAll(kText, {{"$N", absl::StrCat(elements)}}));
}

TEST_P(OverlapTest, AProcessWaitsForOthersBetweenStartAndDone) {
  const Grids arguments = {{S32({2}, {1, 2})}, {S32({2}, {10, 20})}};
  auto executable = Compile(Conversation(2));
  ASSERT_NE(executable, nullptr);
  for (int again = 0; again < 5; ++again) {
    EXPECT_EQ(Text(executable->RunGridLiterals(arguments)),
              "{12, 24} {12, 24} {12, 24} | {12, 24} {10, 20} {-12, -24}");
  }
  // Without overlap, the exchange and the messages wait for each other.
  auto whole = Compile(Conversation(2), "overlap");
  ASSERT_NE(whole, nullptr);
  const absl::StatusOr<Grids> stuck = whole->RunGridLiterals(arguments);
  EXPECT_EQ(stuck.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(Text(stuck), HasSubstr("deadlock: process (0, 0) waits at recv-done"));
  EXPECT_THAT(Text(stuck), HasSubstr("for a send on channel 2; process (1, 0) waits at exchange"));
  EXPECT_THAT(Text(stuck), HasSubstr("for (0, 0)"));
}

TEST_P(OverlapTest, LargeArraysDoSo) {
  // More than is folded whole by every member.
  constexpr int64_t kElements = 10000;
  Grids arguments;
  for (int p = 0; p < 2; ++p) {
    Literal x(hlo::Shape::Array(hlo::ElementType::kS32, {kElements}));
    for (int64_t i = 0; i < kElements; ++i) x.SetInt(i, i * (p + 1));
    arguments.push_back({x});
  }
  auto executable = Compile(Conversation(kElements));
  ASSERT_NE(executable, nullptr);
  const absl::StatusOr<Grids> got = executable->RunGridLiterals(arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  for (int64_t i = 0; i < kElements; ++i) {
    ASSERT_EQ((*got)[0][0].GetInt(i), 4 * i);
    ASSERT_EQ((*got)[0][1].GetInt(i), 4 * i);
    ASSERT_EQ((*got)[1][2].GetInt(i), -4 * i);
  }
}

// With four members, a large all-reduce is two exchanges with a sum in between.
TEST_P(OverlapTest, BothPartsOfALargeSumLeaveTimeForOthers) {
  const std::string text = absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
ENTRY e {
  x = s32[20000] parameter(0)
  start = s32[20000] all-reduce-start(x), replica_groups={{0,1,2,3}}, to_apply=add
  w = s32[20000] multiply(x, x)
  c = s32[20000] custom-call(w), custom_call_target="same", api_version=API_VERSION_STATUS_RETURNING
  sum = s32[20000] all-reduce-done(start)
  ROOT r = s32[20000] add(sum, c)
})");
  RegisterCustomCall("same", [](const CustomCallArguments& call) {
    std::memcpy(call.out[0], call.in[0], 20000 * sizeof(int32_t));
    return absl::OkStatus();
  });
  Grids arguments;
  for (int p = 0; p < 4; ++p) {
    Literal x(hlo::Shape::Array(hlo::ElementType::kS32, {20000}));
    for (int64_t i = 0; i < 20000; ++i) x.SetInt(i, i % 100 + p);
    arguments.push_back({x});
  }
  const absl::StatusOr<Grids> got = RunAll(text, arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  for (int p = 0; p < 4; ++p) {
    for (int64_t i = 0; i < 20000; ++i)
      ASSERT_EQ((*got)[p][0].GetInt(i), 4 * (i % 100) + 6 + (i % 100 + p) * (i % 100 + p));
  }
}

// Runs 1,000 programs if $HALYARD_NIGHTLY is set.
TEST_P(OverlapTest, RandomProgramsWithPairsAgreeWithTheEvaluator) {
  const std::string target = GetParam();
  const uint32_t count = std::getenv("HALYARD_NIGHTLY") != nullptr ? 1000
                         : target == "x86"                         ? 25
                                                                   : 8;
  for (uint32_t seed = 1; seed <= count; ++seed) {
    RandomProgram program(seed, /*asynchronous=*/true);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text()));
    Grids arguments;
    for (int64_t i = 0; i < program.processes(); ++i) arguments.push_back({program.Argument()});
    const absl::StatusOr<Grids> want = RunGridOn("reference", program.text(), arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    const absl::StatusOr<Grids> got = RunAll(program.text(), arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t p = 0; p < want->size(); ++p) {
      ASSERT_TRUE((*got)[p][0].BitwiseEqual((*want)[p][0])) << "process " << p;
    }
  }
}

// In each round of the loop, the state changes between start and done. The branches of the second
// process have a pair of their own.
TEST_P(OverlapTest, PairsInLoopsAndBranches) {
  const std::string text = absl::StrCat("HloModule m, replica_count=3\n", kAdd, R"(
body {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[3] get-tuple-element(s), index=1
  start = s32[3] all-reduce-start(x), replica_groups={}, to_apply=add
  left = (s32[3], s32[3]) collective-permute-start(x), source_target_pairs={{0,1},{1,2},{2,0}}
  two = s32[] constant(2)
  twos = s32[3] broadcast(two), dimensions={}
  w = s32[3] multiply(x, twos)
  sum = s32[3] all-reduce-done(start)
  y = s32[3] add(w, sum)
  from = s32[3] collective-permute-done(left)
  z = s32[3] subtract(y, from)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[3]) tuple(j, z)
}
cond {
  s = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[3] get-tuple-element(s), index=1
  n = s32[] constant(4)
  least = s32[] reduce(x, n), dimensions={0}, to_apply=add
  start = s32[] all-reduce-start(least), replica_groups={}, to_apply=add
  big = s32[] constant(3000)
  limit = s32[] add(big, i)
  some = s32[] all-reduce-done(start)
  ROOT r = pred[] compare(some, limit), direction=LT
}
outer {
  x = s32[3] parameter(0)
  start = s32[3] all-reduce-start(x), replica_groups={{0,2},{1}}, to_apply=add
  w = s32[3] negate(x)
  sum = s32[3] all-reduce-done(start)
  ROOT r = s32[3] multiply(sum, w)
}
middle {
  x = s32[3] parameter(0)
  start = ((s32[3]), s32[3]) async-start(x), calls=outer_sum
  ROOT r = s32[3] async-done(start)
}
ENTRY e {
  x = s32[3] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[3]) tuple(zero, x)
  loop = (s32[], s32[3]) while(init), condition=cond, body=body
  y = s32[3] get-tuple-element(loop), index=1
  id = u32[] replica-id()
  which = s32[] convert(id)
  one = s32[] constant(1)
  is_one = pred[] compare(which, one), direction=EQ
  c = s32[3] conditional(is_one, y, y), true_computation=middle, false_computation=outer
  i = s32[] get-tuple-element(loop), index=0
  ROOT r = (s32[], s32[3]) tuple(i, c)
})");
  const std::string called =
      "outer_sum { x = s32[3] parameter(0) ROOT n = s32[3] all-reduce(x), "
      "replica_groups={{0},{1},{2}}, to_apply=add }\nbody {";
  const std::string whole = absl::StrReplaceAll(text, {{"\nbody {", "\n" + called}});
  const Grids arguments = {{S32({3}, {1, 2, 3})}, {S32({3}, {3, 4, 5})}, {S32({3}, {5, 6, 8})}};
  const absl::StatusOr<Grids> got = RunAll(whole, arguments);
  EXPECT_EQ(Text(got), Text(RunGridOn("reference", whole, arguments)));
  EXPECT_TRUE(got.ok()) << got.status();
}

TEST_P(OverlapTest, AnErrorBetweenStartAndDoneEndsTheRun) {
  RegisterCustomCall("fail_between", [](const CustomCallArguments& call) {
    const int32_t value = *static_cast<const int32_t*>(call.in[0]);
    *static_cast<int32_t*>(call.out[0]) = value;
    return value == 1 ? absl::InternalError("one is too much") : absl::OkStatus();
  });
  // The large operand is in the memory of the process that fails.
  auto executable = Compile(absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
ENTRY e {
  x = s32[100000] parameter(0)
  y = s32[100000] negate(x)
  id = u32[] replica-id()
  i = s32[] convert(id)
  start = ((s32[100000]), s32[400000]) all-gather-start(y), replica_groups={}, dimensions={0}
  c = s32[] custom-call(i), custom_call_target="fail_between", api_version=API_VERSION_STATUS_RETURNING
  all = s32[400000] all-gather-done(start)
  b = s32[400000] broadcast(c), dimensions={}
  ROOT r = s32[400000] add(all, b)
})"));
  ASSERT_NE(executable, nullptr);
  const Literal x(hlo::Shape::Array(hlo::ElementType::kS32, {100000}));
  for (int again = 0; again < 10; ++again) {
    const absl::StatusOr<Grids> got = executable->RunGridLiterals({{x}});
    EXPECT_EQ(got.status().code(), absl::StatusCode::kInternal);
    EXPECT_THAT(Text(got), HasSubstr("process (1, 0)"));
    EXPECT_THAT(Text(got), HasSubstr("one is too much"));
  }
}

TEST_P(OverlapTest, StableHlosPairs) {
  constexpr char kText[] =
      R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
func.func @main(%a: tensor<2xi64>) -> (tensor<2xi64>, tensor<4xi64>, tensor<2xi64>) {
  %s = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<2xi64>):
      %r = "stablehlo.all_reduce"(%x) ({
        ^bb0(%l: tensor<i64>, %q: tensor<i64>):
          %t = stablehlo.add %l, %q : tensor<i64>
          stablehlo.return %t : tensor<i64>
      }) {replica_groups = dense<[[0,1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
      stablehlo.return %r : tensor<2xi64>
  }) : (tensor<2xi64>) -> !stablehlo.future<tensor<2xi64>>
  %g = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<2xi64>):
      %r = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[1,0]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<4xi64>
      stablehlo.return %r : tensor<4xi64>
  }) : (tensor<2xi64>) -> !stablehlo.future<tensor<4xi64>>
  %w = stablehlo.multiply %a, %a : tensor<2xi64>
  %d = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<2xi64>>) -> tensor<2xi64>
  %h = "stablehlo.async_done"(%g) : (!stablehlo.future<tensor<4xi64>>) -> tensor<4xi64>
  return %d, %h, %w : tensor<2xi64>, tensor<4xi64>, tensor<2xi64>
}
})";
  auto s64 = [](std::vector<int64_t> values) {
    return Literal::FromValues<int64_t>(hlo::ElementType::kS64, {2}, values);
  };
  EXPECT_EQ(Text(RunAll(kText, {{s64({1, 2})}, {s64({10, 20})}})),
            "{11, 22} {10, 20, 1, 2} {1, 4} | {11, 22} {10, 20, 1, 2} {100, 400}");
}

TEST(OverlapOverRanks, AProcessWaitsForOthersBetweenStartAndDone) {
  const std::unique_ptr<Executable> program = Compiled(Conversation(2));
  for (const uint64_t shared : {0, 8 << 20}) {
    Job job(2, Shared(2, shared));
    for (int again = 0; again < 20; ++again) {
      EXPECT_EQ(job.Run(*program, {{S32({2}, {1, 2})}, {S32({2}, {10, 20})}}),
                "{12, 24} {12, 24} {12, 24} | {12, 24} {10, 20} {-12, -24}");
    }
  }
}

TEST(OverlapOverRanks, RandomProgramsWithPairsHaveTheBitsOfThreads) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    RandomProgram random(seed, /*asynchronous=*/true);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", random.text()));
    Grids arguments;
    for (int64_t i = 0; i < random.processes(); ++i) arguments.push_back({random.Argument()});
    const std::unique_ptr<Executable> program = Compiled(random.text());
    const std::string want = Text(program->RunGridLiterals(arguments));
    Job job(2);
    for (int again = 0; again < 3; ++again) EXPECT_EQ(job.Run(*program, arguments), want);
  }
}

}  // namespace
}  // namespace halyard::testing
