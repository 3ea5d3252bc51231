// Threads that meet in a Grid, with random delays: what they exchange, and that none hangs.
#include "runtime/collectives/grid.h"

#include <gtest/gtest.h>

#include "tests/runtime/collectives/grid_run.h"

namespace halyard::runtime {
namespace {

constexpr uint32_t kProcesses = 6;

// Runs one round of every pattern, and checks the results.
Status Round(Grid* grid, uint32_t self, int64_t round, std::mt19937& random) {
  const Numbers pairs = {3, 3, 0, 2, 4, 5, 3, 1};
  const auto value = [&](int64_t process, int64_t i) { return round * 1000 + process * 10 + i; };
  const bool first = self == 0 || self == 2 || self == 4;
  const Numbers group = first ? Numbers{0, 2, 4} : Numbers{5, 3, 1};
  Numbers mine = {value(self, 0), value(self, 1), value(self, 2)}, got(9);
  HostArray operand = ArrayOf(mine), result = ArrayOf(got);
  SleepABit(random);
  HY_RETURN_IF_ERROR(
      grid->Exchange(self, StepOf(1, ExchangePattern::kGather, pairs, 2), &operand, &result));
  for (int64_t m = 0; m < 3; ++m) {
    for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(got[m * 3 + i], value(group[m], i));
  }
  SleepABit(random);
  got.assign(3, -1);
  result = ArrayOf(got);
  HY_RETURN_IF_ERROR(
      grid->Exchange(self, StepOf(2, ExchangePattern::kAllToAll, pairs, 2), &operand, &result));
  int64_t index = 0;
  while (group[index] != self) ++index;
  for (int64_t m = 0; m < 3; ++m) EXPECT_EQ(got[m], value(group[m], index));
  SleepABit(random);
  // 0 -> 1 -> 2 -> 0; 3 -> 4; 5 keeps its own value.
  const Numbers ring = {2, 2, 2, 2, 2, 0, 1, 1, 2, 2, 0, 3, 4, 5, 5};
  HY_RETURN_IF_ERROR(
      grid->Exchange(self, StepOf(3, ExchangePattern::kPermute, ring, 5), &operand, &result));
  const int64_t sources[kProcesses] = {2, 0, 1, -1, 3, 5};
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(got[i], sources[self] < 0 ? 0 : value(sources[self], i));
  // The operand may change at once: processes that have not read it yet have a copy.
  for (int64_t& number : mine) number += 7;
  return Status();
}

TEST(Grid, PatternsWithRandomDelays) {
  const GridRun run(3, 2, [](Grid* grid, uint32_t self) {
    std::mt19937 random(self + 1);
    for (int64_t round = 0; round < 300; ++round)
      HY_RETURN_IF_ERROR(Round(grid, self, round, random));
    return Status();
  });
  EXPECT_EQ(run.code, Code::kOk) << run.message;
}

// 1,000 in all.
TEST(Grid, EightGridsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 125; ++i) {
        const GridRun run(2, 1, [&](Grid* grid, uint32_t self) {
          std::mt19937 random(static_cast<uint32_t>(t * 1000 + i) + self);
          const Numbers both = {2, 0, 1};
          for (int64_t k = 0; k < 10; ++k) {
            Numbers mine = {self + k}, got(2);
            HostArray operand = ArrayOf(mine), result = ArrayOf(got);
            SleepABit(random);
            HY_RETURN_IF_ERROR(grid->Exchange(self, StepOf(0, ExchangePattern::kGather, both, 1),
                                              &operand, &result));
            EXPECT_EQ(got, (Numbers{k, k + 1}));
          }
          return Status();
        });
        EXPECT_EQ(run.code, Code::kOk) << run.message;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Grid, BroadcastReachesItsGroupAndZerosTheOthers) {
  const GridRun run(4, 1, [](Grid* grid, uint32_t self) {
    const Numbers groups = {2, 2, 0};  // process 2 sends to 0
    Numbers mine = {self + 10}, got = {-1};
    HostArray operand = ArrayOf(mine), result = ArrayOf(got);
    HY_RETURN_IF_ERROR(
        grid->Exchange(self, StepOf(0, ExchangePattern::kBroadcast, groups, 1), &operand, &result));
    EXPECT_EQ(got[0], self == 0 || self == 2 ? 12 : 0);
    return Status();
  });
  EXPECT_EQ(run.code, Code::kOk) << run.message;
}

TEST(Grid, SmallerGroupsLeaveZeros) {
  const GridRun run(3, 1, [](Grid* grid, uint32_t self) {
    const Numbers groups = {2, 1, 0, 1, 2};
    Numbers mine = {self + 10}, got = {-1, -1};
    HostArray operand = ArrayOf(mine), result = ArrayOf(got);
    HY_RETURN_IF_ERROR(
        grid->Exchange(self, StepOf(0, ExchangePattern::kGather, groups, 2), &operand, &result));
    EXPECT_EQ(got, (self == 2 ? Numbers{12, 0} : Numbers{10, 11}));
    return Status();
  });
  EXPECT_EQ(run.code, Code::kOk) << run.message;
}

TEST(Grid, ADeadlockIsFoundAtOnce) {
  const GridRun run(2, 1, [](Grid* grid, uint32_t self) {
    const Numbers both = {2, 0, 1};
    Numbers mine = {1}, got(2);
    HostArray operand = ArrayOf(mine), result = ArrayOf(got);
    // Each process waits at a step that the other never reaches.
    return grid->Exchange(self, StepOf(self, ExchangePattern::kGather, both, 1), &operand, &result);
  });
  EXPECT_EQ(run.code, Code::kDeadlineExceeded);
  EXPECT_EQ(run.message,
            "deadlock: process (0, 0) waits at exchange x (p.hlo:1:1) for (1, 0); process (1, 0) "
            "waits at exchange x (p.hlo:1:1) for (0, 0)");
}

TEST(Grid, AnErrorEndsTheOthersWaits) {
  for (int i = 0; i < 50; ++i) {
    const GridRun run(4, 1, [i](Grid* grid, uint32_t self) {
      std::mt19937 random(static_cast<uint32_t>(i) * 4 + self);
      SleepABit(random);
      if (self == 2) return MakeStatus(Code::kInternal, "broken");
      const Numbers all = {4, 0, 1, 2, 3};
      Numbers mine = {1}, got(4);
      HostArray operand = ArrayOf(mine), result = ArrayOf(got);
      Status status =
          grid->Exchange(self, StepOf(0, ExchangePattern::kGather, all, 1), &operand, &result);
      EXPECT_EQ(status.code(), Code::kAborted);
      return status;
    });
    EXPECT_EQ(run.code, Code::kInternal);
    EXPECT_EQ(run.message, "process (2, 0): broken");
  }
}

TEST(Grid, ChannelsKeepTheirOrderAndHaveTwoEnds) {
  const GridRun run(2, 1, [](Grid* grid, uint32_t self) {
    std::mt19937 random(self);
    for (int64_t i = 0; i < 1000; ++i) {
      Numbers number = {i};
      HostArray array = ArrayOf(number);
      SleepABit(random);
      if (self == 0) {
        HY_RETURN_IF_ERROR(grid->Send(self, 7, "send s", &array, 1));
      } else {
        HY_RETURN_IF_ERROR(grid->Receive(self, 7, "recv-done r", &array, 1));
        EXPECT_EQ(number[0], i);
      }
    }
    return Status();
  });
  EXPECT_EQ(run.code, Code::kOk) << run.message;

  const GridRun claimed(2, 1, [](Grid* grid, uint32_t self) {
    Numbers number = {1};
    HostArray array = ArrayOf(number);
    return grid->Send(self, 7, "send s", &array, 1);
  });
  EXPECT_EQ(claimed.code, Code::kInvalidArgument);
  EXPECT_NE(claimed.message.find("is the sender of channel 7"), std::string::npos);

  const GridRun shapes(2, 1, [](Grid* grid, uint32_t self) {
    Numbers numbers(self + 1);
    HostArray array = ArrayOf(numbers);
    return self == 0 ? grid->Send(self, 7, "send s", &array, 1)
                     : grid->Receive(self, 7, "recv-done r", &array, 1);
  });
  EXPECT_NE(shapes.message.find("recv-done r: what was sent on channel 7 has another shape"),
            std::string::npos)
      << shapes.message;
}

}  // namespace
}  // namespace halyard::runtime
