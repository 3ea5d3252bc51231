// Tests that the Executable of every target behaves the same. The reference, which has no Device,
// passes the same tests as the backends.
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/api/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/use_fake_cuda.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Literal F32(std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
}
Literal Ramp(int64_t n, double start) {
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(start + static_cast<double>(i));
  return F32({n}, values);
}

constexpr char kProgram[] = R"(HloModule m
ENTRY e {
  x = f32[37] parameter(0)
  y = f32[37] parameter(1)
  sum = f32[37] add(x, y)
  two = f32[] constant(2)
  twos = f32[37] broadcast(two), dimensions={}
  product = f32[37] multiply(x, twos)
  ROOT r = (f32[37], f32[37]) tuple(sum, product)
})";
constexpr char kLoop[] = R"(HloModule loop
cond { s = (s32[], f32[5]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(20)
  ROOT r = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[5]) parameter(0) i = s32[] get-tuple-element(s), index=0
  x = f32[5] get-tuple-element(s), index=1 one = s32[] constant(1) j = s32[] add(i, one)
  y = f32[5] add(x, x) half = f32[] constant(0.5) h = f32[5] broadcast(half), dimensions={}
  z = f32[5] multiply(y, h) w = f32[5] add(z, h)
  ROOT r = (s32[], f32[5]) tuple(j, w) }
ENTRY e { x = f32[5] parameter(0) zero = s32[] constant(0) t = (s32[], f32[5]) tuple(zero, x)
  w = (s32[], f32[5]) while(t), condition=cond, body=body
  ROOT r = f32[5] get-tuple-element(w), index=1 })";
constexpr char kUpdate[] = R"(HloModule update, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  state = f32[1000] parameter(0)
  row = f32[10] parameter(1)
  i = s32[] constant(500)
  ROOT r = f32[1000] dynamic-update-slice(state, row, i)
})";

class ExecutableTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const char* index = getenv("HALYARD_TEST_DEVICE");  // scripts/gpu_check
    auto client =
        Client::Create({.target = GetParam(), .device_index = index == nullptr ? 0 : atoi(index)});
    ASSERT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
  }
  std::unique_ptr<Executable> Compile(const char* text) {
    auto module = ParseProgram(text, "p.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return nullptr;
    auto executable = client_->Compile(**module);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return executable.ok() ? *std::move(executable) : nullptr;
  }
  Buffer ToBuffer(const Literal& literal) { return *client_->BufferFromLiteral(literal); }

  std::unique_ptr<Client> client_;
};

TEST_P(ExecutableTest, RunsAndRunsAgain) {
  auto executable = Compile(kProgram);
  ASSERT_NE(executable, nullptr);
  ASSERT_THAT(executable->parameter_shapes(), SizeIs(2));
  ASSERT_THAT(executable->result_shapes(), SizeIs(2));
  for (int round = 0; round < 5; ++round) {
    const Literal x = Ramp(37, round), y = Ramp(37, 100);
    auto results = executable->RunLiterals({x, y});
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_THAT(*results, SizeIs(2));
    std::vector<double> sums, products;
    for (int i = 0; i < 37; ++i) {
      sums.push_back(round + 100 + 2 * i);
      products.push_back(2 * (round + i));
    }
    EXPECT_EQ((*results)[0].ToString(), F32({37}, sums).ToString());
    EXPECT_EQ((*results)[1].ToString(), F32({37}, products).ToString());
  }
}

TEST_P(ExecutableTest, ResultsAreArgumentsWithoutBeingRead) {
  auto executable = Compile(kProgram);
  ASSERT_NE(executable, nullptr);
  std::vector<Buffer> state = {ToBuffer(Ramp(37, 0)), ToBuffer(Ramp(37, 1))};
  std::vector<double> x, y;
  for (int i = 0; i < 37; ++i) x.push_back(i), y.push_back(1 + i);
  for (int round = 0; round < 6; ++round) {
    auto next = executable->Run(state, {.stream = static_cast<uint32_t>(round % 2)});
    ASSERT_TRUE(next.ok()) << next.status();
    state = *std::move(next);
    for (int i = 0; i < 37; ++i) {
      const double sum = x[i] + y[i];
      y[i] = 2 * x[i];
      x[i] = sum;
    }
  }
  ASSERT_TRUE(state[0].Wait().ok());
  EXPECT_TRUE(state[0].IsReady());
  auto literal = state[0].ToLiteral();
  ASSERT_TRUE(literal.ok()) << literal.status();
  EXPECT_EQ(literal->ToString(), F32({37}, x).ToString());
}

TEST_P(ExecutableTest, LoopsRepeat) {
  auto executable = Compile(kLoop);
  ASSERT_NE(executable, nullptr);
  auto results = executable->RunLiterals({F32({5}, {0, 1, 2, 3, 4})});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].ToString(), F32({5}, {10, 11, 12, 13, 14}).ToString());
}

TEST_P(ExecutableTest, DonatedStateIsUpdated) {
  auto executable = Compile(kUpdate);
  ASSERT_NE(executable, nullptr);
  Buffer state = ToBuffer(Ramp(1000, 0));
  for (int round = 0; round < 3; ++round) {
    const Buffer row = ToBuffer(Ramp(10, -100 * (round + 1)));
    auto next = executable->Run({state, row}, {.donate = {true, false}});
    ASSERT_TRUE(next.ok()) << next.status();
    state = (*next)[0];
  }
  std::vector<double> want;
  for (int i = 0; i < 1000; ++i) want.push_back(i >= 500 && i < 510 ? -300 + (i - 500) : i);
  auto literal = state.ToLiteral();
  ASSERT_TRUE(literal.ok()) << literal.status();
  EXPECT_EQ(literal->ToString(), F32({1000}, want).ToString());
}

TEST_P(ExecutableTest, WrongArgumentsAreRefusedByName) {
  auto executable = Compile(kProgram);
  ASSERT_NE(executable, nullptr);
  const Literal x = Ramp(37, 0), wrong = Ramp(36, 0);
  auto results = executable->RunLiterals({x});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument) << results.status();
  results = executable->RunLiterals({x, wrong});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument) << results.status();
  EXPECT_THAT(results.status().message(), HasSubstr("1"));
}

TEST_P(ExecutableTest, ThreadsRunOneExecutable) {
  auto executable = Compile(kProgram);
  ASSERT_NE(executable, nullptr);
  std::atomic<int> right{0};
  const auto work = [&](int thread) {
    for (int round = 0; round < 10; ++round) {
      auto results = executable->RunLiterals({Ramp(37, thread), Ramp(37, round)});
      if (!results.ok()) continue;
      std::vector<double> want;
      for (int i = 0; i < 37; ++i) want.push_back(thread + round + 2 * i);
      right += (*results)[0].ToString() == F32({37}, want).ToString();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

INSTANTIATE_TEST_SUITE_P(Targets, ExecutableTest,
                         ::testing::Values("reference", "x86", "vulkan", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

const bool kFakeCuda = testing::UseFakeCuda();

}  // namespace
}  // namespace halyard
