// A Grid of two ranks, of which the test plays the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/collectives/grid.h"

namespace halyard::runtime {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<int64_t>;

// Process 0 is here, and process 1 is on the other rank.
class RemoteGridTest : public ::testing::Test {
 public:
  void Make(void (*poll)(void*), void (*sleeping)(void*, int)) {
    GridRemote remote;
    remote.user = this;
    remote.num_ranks = 2;
    remote.starts = starts_;
    remote.send = [](void*, const GridParcel&, const HostArray*, const uint32_t*) {
      return Status();
    };
    remote.poll = poll;
    remote.sleeping = sleeping;
    ASSERT_TRUE(Grid::Create(2, 1, 8, {}, remote, &grid_).ok());
  }
  // Delivers a post of process 1 with these numbers, as one array.
  void Deliver(uint64_t step, uint64_t time, const Numbers& numbers, int64_t only_reader = -1) {
    auto* own = new Numbers(numbers);
    const HostArray array = {own->data(), own->size() * sizeof(int64_t)};
    const GridParcel parcel = {GridParcel::Kind::kPost, 1, 1, 0, 1, only_reader, step, time};
    grid_->Deliver(parcel, &array, {new Owned{this, own}, [](void* owner) {
                                      auto* owned = static_cast<Owned*>(owner);
                                      ++owned->test->released_;
                                      delete owned->numbers;
                                      delete owned;
                                    }});
  }
  // Process 0 executes a step with process 1, and returns what it has got.
  Numbers Exchange(uint64_t step, ExchangePattern pattern, Numbers mine, Status* status) {
    const Numbers groups = {2, 0, 1};
    Numbers got(mine.size() * (pattern == ExchangePattern::kGather ? 2 : 1));
    const HostArray operand = {mine.data(), mine.size() * sizeof(int64_t)};
    const HostArray result = {got.data(), got.size() * sizeof(int64_t)};
    *status = grid_->Exchange(0, {step, "exchange x (p.hlo:1:1)", pattern, groups.data(), 1, 1},
                              &operand, &result);
    return got;
  }
  void End(const Status& status = Status()) {
    grid_->End(0, status);
    grid_->EndRemote(1);
    grid_->Destroy();
  }

  struct Owned {
    RemoteGridTest* test;
    Numbers* numbers;
  };
  const uint32_t starts_[3] = {0, 1, 2};
  Grid* grid_ = nullptr;
  std::atomic<int> released_ = 0, polls_ = 0, sleepers_ = 0, slept_ = 0;
  std::thread other_;
};

TEST_F(RemoteGridTest, WhatCameIsReleasedOnce) {
  Make(nullptr, nullptr);
  Status status;
  Deliver(1, 0, {7, 8});
  EXPECT_EQ(Exchange(1, ExchangePattern::kGather, {5, 6}, &status), (Numbers{5, 6, 7, 8}));
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(released_, 1);
  Deliver(1, 1, {9, 10});
  EXPECT_EQ(released_, 1);
  EXPECT_EQ(Exchange(1, ExchangePattern::kGather, {0, 0}, &status), (Numbers{0, 0, 9, 10}));
  Deliver(2, 0, {1});  // nobody reads it
  grid_->Fail(MakeStatus(Code::kInternal, "broken"));
  EXPECT_EQ(released_, 2);
  Deliver(2, 1, {1});  // too late
  EXPECT_EQ(released_, 3);
  End();
  EXPECT_EQ(released_, 4);
}

TEST_F(RemoteGridTest, OtherSizesAreAnErrorThatNamesThem) {
  struct Case {
    ExchangePattern pattern;
    Numbers brought;
    int64_t only_reader;
    const char* message;
  };
  for (const Case& one : {
           Case{ExchangePattern::kGather, {1}, -1, "brings 8 bytes to step 3, not 16"},
           Case{ExchangePattern::kGather,
                {1, 2},
                0,
                "brings 1 arrays for one reader to step 3, not 1"},
           Case{ExchangePattern::kAllToAll, {1, 2, 3}, 0, "brings 24 bytes to step 3, not 8"},
           Case{ExchangePattern::kAllToAll,
                {1},
                -1,
                "brings 1 arrays to step 3, not 1 for one reader"},
       }) {
    Make(nullptr, nullptr);
    Deliver(3, 0, one.brought, one.only_reader);
    Status status;
    Exchange(3, one.pattern, {5, 6}, &status);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("exchange x (p.hlo:1:1): process (1, 0) "));
    EXPECT_THAT(status.message(), HasSubstr(one.message));
    End(status);
  }
}

// What comes soon is found by looking for it, and nobody sleeps.
TEST_F(RemoteGridTest, AProcessThatWaitsPolls) {
  Make(
      [](void* user) {
        auto* test = static_cast<RemoteGridTest*>(user);
        if (++test->polls_ == 5) test->Deliver(1, 0, {7});
      },
      [](void* user, int) { ++static_cast<RemoteGridTest*>(user)->slept_; });
  Status status;
  EXPECT_EQ(Exchange(1, ExchangePattern::kGather, {5}, &status), (Numbers{5, 7}));
  EXPECT_EQ(polls_, 5);
  EXPECT_EQ(slept_, 0);
  End();
}

// What comes later is delivered by another thread, once the process has said that it sleeps.
TEST_F(RemoteGridTest, AProcessThatWaitsForLongSleeps) {
  Make([](void* user) { ++static_cast<RemoteGridTest*>(user)->polls_; },
       [](void* user, int threads) {
         auto* test = static_cast<RemoteGridTest*>(user);
         test->sleepers_ += threads;
         if (threads < 0) return;
         ++test->slept_;
         test->other_ = std::thread([test] { test->Deliver(1, 0, {7}); });
       });
  Status status;
  EXPECT_EQ(Exchange(1, ExchangePattern::kGather, {5}, &status), (Numbers{5, 7}));
  other_.join();
  EXPECT_GT(polls_, 5);
  EXPECT_EQ(slept_, 1);
  EXPECT_EQ(sleepers_, 0);
  End();
}

// It may come while the process says that it sleeps.
TEST_F(RemoteGridTest, WhatComesBeforeAProcessSleepsIsSeen) {
  Make([](void*) {},
       [](void* user, int threads) {
         if (threads > 0) static_cast<RemoteGridTest*>(user)->Deliver(1, 0, {7});
       });
  Status status;
  EXPECT_EQ(Exchange(1, ExchangePattern::kGather, {5}, &status), (Numbers{5, 7}));
  EXPECT_TRUE(status.ok()) << status.message();
  End();
}

}  // namespace
}  // namespace halyard::runtime
