// Exchanges in two parts, with other things in between.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime/collectives/grid_run.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kFour = 4;

// What one process brings to an exchange and gets from it.
struct Arrays {
  Arrays(Numbers own, size_t size) : operand(std::move(own)), result(size, -1) {}
  Status Begin(Grid* grid, uint32_t self, const ExchangeStep& step) {
    const HostArray array = ArrayOf(operand);
    return grid->BeginExchange(self, step, &array);
  }
  Status End(Grid* grid, uint32_t self, const ExchangeStep& step) {
    const HostArray from = ArrayOf(operand), to = ArrayOf(result);
    return grid->EndExchange(self, step, &from, &to);
  }
  Numbers operand, result;
};

// Begins four exchanges of all patterns, and ends them in an order that differs from round to
// round, but not from process to process.
Status Round(Grid* grid, uint32_t self, int64_t round, std::mt19937& random) {
  const Numbers all = {kFour, 2, 0, 3, 1}, ring = {2, 2, 2, 0, 1, 1, 2, 3, 0}, one = {3, 1, 2, 3};
  const auto value = [&](int64_t process, int64_t i) { return round * 1000 + process * 10 + i; };
  const Numbers mine = {value(self, 0), value(self, 1), value(self, 2), value(self, 3)};
  const ExchangeStep steps[] = {StepOf(0, ExchangePattern::kGather, all, 1),
                                StepOf(1, ExchangePattern::kAllToAll, all, 1),
                                StepOf(2, ExchangePattern::kPermute, ring, 3),
                                StepOf(3, ExchangePattern::kBroadcast, one, 1)};
  Arrays arrays[] = {{mine, 16}, {mine, 4}, {mine, 4}, {mine, 4}};
  for (int k = 0; k < 4; ++k) {
    SleepABit(random);
    HY_RETURN_IF_ERROR(arrays[k].Begin(grid, self, steps[k]));
  }
  int order[] = {0, 1, 2, 3};
  std::mt19937 same(static_cast<uint32_t>(round));
  std::shuffle(order, order + 4, same);
  for (const int k : order) {
    SleepABit(random);
    HY_RETURN_IF_ERROR(arrays[k].End(grid, self, steps[k]));
    // From now on, the operand is the process's own.
    std::fill(arrays[k].operand.begin(), arrays[k].operand.end(), -7);
  }
  const int64_t* group = all.data() + 1;
  int64_t index = 0;
  while (group[index] != self) ++index;
  const int64_t sources[] = {3, 0, 1, -1};
  for (int64_t m = 0; m < 4; ++m) {
    for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(arrays[0].result[m * 4 + i], value(group[m], i));
    EXPECT_EQ(arrays[1].result[m], value(group[m], index));
    EXPECT_EQ(arrays[2].result[m], sources[self] < 0 ? 0 : value(sources[self], m));
    EXPECT_EQ(arrays[3].result[m], self == 0 ? 0 : value(1, m));
  }
  return Status();
}

TEST(ExchangeParts, AllPatternsWithRandomDelays) {
  const GridRun run(2, 2, [](Grid* grid, uint32_t self) {
    std::mt19937 random(self + 1);
    for (int64_t round = 0; round < 300; ++round)
      HY_RETURN_IF_ERROR(Round(grid, self, round, random));
    return Status();
  });
  EXPECT_EQ(run.code, Code::kOk) << run.message;
}

// Process 0 waits between the parts for what process 1 says after its end.
TEST(ExchangeParts, TheOthersDoNotWaitForTheEnd) {
  for (const ExchangePattern pattern : {ExchangePattern::kGather, ExchangePattern::kAllToAll,
                                        ExchangePattern::kPermute, ExchangePattern::kBroadcast}) {
    const GridRun run(2, 1, [pattern](Grid* grid, uint32_t self) {
      const bool pairs = pattern == ExchangePattern::kPermute;
      const Numbers groups = pairs ? Numbers{2, 2, 0, 1, 1, 0} : Numbers{2, 0, 1};
      const ExchangeStep step = StepOf(0, pattern, groups, pairs ? 2 : 1);
      Arrays arrays({self + 10, self + 20}, pattern == ExchangePattern::kGather ? 4 : 2);
      Numbers word = {7};
      const HostArray message = ArrayOf(word);
      HY_RETURN_IF_ERROR(arrays.Begin(grid, self, step));
      if (self == 0) HY_RETURN_IF_ERROR(grid->Receive(self, 1, "recv-done r", &message, 1));
      HY_RETURN_IF_ERROR(arrays.End(grid, self, step));
      if (self == 1) HY_RETURN_IF_ERROR(grid->Send(self, 1, "send s", &message, 1));
      const int64_t last = pattern == ExchangePattern::kGather      ? 21
                           : pattern == ExchangePattern::kAllToAll  ? 11 + 10 * self
                           : pattern == ExchangePattern::kBroadcast ? 20
                                                                    : 21 - self;
      EXPECT_EQ(arrays.result.back(), last);
      return Status();
    });
    EXPECT_EQ(run.code, Code::kOk) << run.message;
  }
}

TEST(ExchangeParts, ADeadlockAtTheEndNamesTheExchange) {
  const GridRun run(2, 1, [](Grid* grid, uint32_t self) {
    const Numbers both = {2, 0, 1};
    const ExchangeStep step = StepOf(self, ExchangePattern::kGather, both, 1);
    Arrays arrays({1}, 2);
    HY_RETURN_IF_ERROR(arrays.Begin(grid, self, step));
    return arrays.End(grid, self, step);
  });
  EXPECT_EQ(run.code, Code::kDeadlineExceeded);
  EXPECT_EQ(run.message,
            "deadlock: process (0, 0) waits at exchange x (p.hlo:1:1) for (1, 0); process (1, 0) "
            "waits at exchange x (p.hlo:1:1) for (0, 0)");
}

TEST(ExchangeParts, AnEndNeedsABegin) {
  const GridRun run(1, 1, [](Grid* grid, uint32_t self) {
    const Numbers own = {1, 0};
    return Arrays({1}, 1).End(grid, self, StepOf(0, ExchangePattern::kGather, own, 1));
  });
  EXPECT_EQ(run.code, Code::kInvalidArgument);
  EXPECT_NE(run.message.find("exchange x (p.hlo:1:1): the exchange has not begun"),
            std::string::npos)
      << run.message;
}

// Whoever fails between the parts takes its memory back, even while others read it.
TEST(ExchangeParts, AFailedProcessTakesItsArraysBack) {
  for (int i = 0; i < 30; ++i) {
    const GridRun run(kFour, 1, [i](Grid* grid, uint32_t self) {
      std::mt19937 random(static_cast<uint32_t>(i) * kFour + self);
      const Numbers all = {kFour, 0, 1, 2, 3};
      const ExchangeStep step = StepOf(0, ExchangePattern::kGather, all, 1);
      constexpr size_t kSize = 20000;
      auto arrays = std::make_unique<Arrays>(Numbers(kSize, self), kFour * kSize);
      HY_RETURN_IF_ERROR(arrays->Begin(grid, self, step));
      SleepABit(random);
      if (self == 2) {
        grid->Withdraw(self);
        arrays = nullptr;
        SleepABit(random);
        return MakeStatus(Code::kInternal, "broken");
      }
      Status status = arrays->End(grid, self, step);
      // A process that has read everything before does not notice.
      EXPECT_TRUE(status.ok() || status.code() == Code::kAborted) << status.message();
      grid->Withdraw(self);
      return status;
    });
    EXPECT_EQ(run.code, Code::kInternal);
    EXPECT_EQ(run.message, "process (2, 0): broken");
  }
}

}  // namespace
}  // namespace halyard::runtime
