// Ranks of one machine. Here they share one process, which maps each memory twice.
#include "ranks/shared_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

namespace halyard::ranks {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kMiB = 1 << 20;

SharedMemoryOptions Plenty(uint64_t bytes = 8 * kMiB) {
  SharedMemoryOptions options;
  options.most_bytes = bytes;
  options.free_memory = [] { return uint64_t{1} << 40; };
  return options;
}

FrameHeader HeaderOf(uint64_t number, const std::string& head, uint64_t body_bytes = 0) {
  FrameHeader header;
  header.kind = 5;
  header.run = 6;
  header.number = number;
  header.head_bytes = static_cast<uint32_t>(head.size());
  header.body_bytes = body_bytes;
  return header;
}

std::shared_ptr<uint8_t> Filled(SharedLinks& links, uint64_t bytes, int value) {
  std::shared_ptr<uint8_t> body = links.NewBody(bytes);
  memset(body.get(), value, bytes);
  return body;
}

class Pair {
 public:
  explicit Pair(const SharedMemoryOptions& options = Plenty())
      : zero(0, 2, options), one(1, 2, options) {
    EXPECT_TRUE(zero.Accept(1, one.Offer()));
    EXPECT_TRUE(one.Accept(0, zero.Offer()));
    zero.Confirm(1);
    one.Confirm(0);
  }
  SharedLinks zero, one;
};

TEST(SharedLinks, FramesGoBothWaysWithTheirBodies) {
  Pair pair;
  EXPECT_TRUE(pair.zero.CanPut(1));
  const uint64_t sizes[] = {0, 1, SharedLinks::kMostInRing, SharedLinks::kMostInRing + 1, kMiB};
  for (const uint64_t bytes : sizes) {
    const auto body = bytes == 0 ? nullptr : Filled(pair.zero, bytes, 'a');
    EXPECT_FALSE(pair.one.HasFrame(0));
    ASSERT_TRUE(pair.zero.Put(1, HeaderOf(bytes, "head", bytes), "head", body));
    ASSERT_TRUE(pair.one.HasFrame(0));
    FrameHeader header;
    ASSERT_TRUE(pair.one.Peek(0, &header));
    EXPECT_EQ(header.number, bytes);
    Frame frame;
    ASSERT_TRUE(pair.one.Take(0, &frame));
    EXPECT_EQ(frame.kind, 5u);
    EXPECT_EQ(frame.run, 6u);
    EXPECT_EQ(frame.head, "head");
    ASSERT_EQ(frame.body_bytes, bytes);
    if (bytes > 0) {
      EXPECT_EQ(frame.body.get()[bytes - 1], 'a');
    }
  }
  ASSERT_TRUE(pair.one.Put(0, HeaderOf(0, "back"), "back", nullptr));
  EXPECT_TRUE(pair.zero.HasFrame(1));
}

TEST(SharedLinks, ReadersSeeTheBlockThatWasWritten) {
  Pair pair;
  const auto body = Filled(pair.zero, 100'000, 'a');
  Frame frame;
  ASSERT_TRUE(pair.zero.Put(1, HeaderOf(0, "", 100'000), "", body));
  ASSERT_TRUE(pair.one.Take(0, &frame));
  memset(body.get(), 'b', 100'000);
  EXPECT_EQ(frame.body.get()[99'999], 'b');
  EXPECT_NE(frame.body.get(), body.get());  // mapped twice
}

TEST(SharedLinks, ABodyIsFreeWhenItsReadersAndItsSenderAreDone) {
  Pair pair;
  auto body = Filled(pair.zero, 5 * kMiB, 'a');
  const uint8_t* first = body.get();
  ASSERT_TRUE(pair.zero.Put(1, HeaderOf(0, "", 5 * kMiB), "", body));
  Frame frame;
  ASSERT_TRUE(pair.one.Take(0, &frame));
  body = nullptr;
  const auto other = pair.zero.NewBody(5 * kMiB);  // from malloc, as there is no room
  ASSERT_NE(other, nullptr);
  EXPECT_FALSE(pair.zero.Put(1, HeaderOf(1, "", 5 * kMiB), "", other));
  EXPECT_EQ(frame.body.get()[0], 'a');
  frame.body = nullptr;
  EXPECT_EQ(pair.zero.NewBody(5 * kMiB).get(), first);
}

TEST(SharedLinks, WhatDoesNotFitTakesAnotherWay) {
  Pair pair;
  const std::string head(20'000, 'h');
  EXPECT_FALSE(pair.zero.Put(1, HeaderOf(0, head), head, nullptr));
  int put = 0;
  while (pair.zero.Put(1, HeaderOf(0, "frame"), "frame", nullptr)) ++put;
  EXPECT_GT(put, 100);
  // A frame that could not be put leaves its body free.
  auto body = pair.zero.NewBody(5 * kMiB);
  const uint8_t* first = body.get();
  EXPECT_FALSE(pair.zero.Put(1, HeaderOf(0, "", 5 * kMiB), "", body));
  body = nullptr;
  EXPECT_EQ(pair.zero.NewBody(5 * kMiB).get(), first);
}

TEST(SharedLinks, NothingIsSharedBeforeBothHaveMapped) {
  SharedLinks zero(0, 2, Plenty()), one(1, 2, Plenty());
  EXPECT_FALSE(zero.CanPut(1));
  EXPECT_FALSE(zero.Put(1, HeaderOf(0, ""), "", nullptr));
  zero.Confirm(1);
  EXPECT_FALSE(zero.CanPut(1));
  ASSERT_TRUE(zero.Accept(1, one.Offer()));
  EXPECT_FALSE(zero.Accept(1, one.Offer()));
  EXPECT_TRUE(zero.CanPut(1));
  EXPECT_FALSE(one.CanPut(0));
}

TEST(SharedLinks, ScarceMemoryOrNoneMeansSockets) {
  SharedLinks none(0, 2, {}), little(1, 2, Plenty(100'000)), some(1, 2, Plenty());
  EXPECT_EQ(none.Offer(), "");
  EXPECT_EQ(little.Offer(), "");
  EXPECT_FALSE(none.Accept(1, some.Offer()));
  EXPECT_FALSE(some.Accept(0, ""));
  EXPECT_FALSE(some.Accept(0, "no name"));
  EXPECT_FALSE(some.CanPut(0));
  SharedMemoryOptions scarce = Plenty();
  scarce.free_memory = [] { return 4 * kMiB; };
  scarce.ranks_here = 2;  // each may take a quarter of what is free
  Pair pair(scarce);
  const auto small = Filled(pair.zero, 500'000, 'a'), large = Filled(pair.zero, 2 * kMiB, 'a');
  EXPECT_TRUE(pair.zero.Put(1, HeaderOf(0, "", 500'000), "", small));
  EXPECT_FALSE(pair.zero.Put(1, HeaderOf(1, "", 2 * kMiB), "", large));
}

TEST(SharedLinks, BodiesOutliveTheLinks) {
  Frame frame;
  {
    Pair pair;
    ASSERT_TRUE(pair.zero.Put(1, HeaderOf(0, "", kMiB), "", Filled(pair.zero, kMiB, 'z')));
    ASSERT_TRUE(pair.one.Take(0, &frame));
  }
  EXPECT_EQ(frame.body.get()[kMiB - 1], 'z');
}

// Nobody rings unless somebody sleeps. Each round must end, however the two threads interleave.
TEST(SharedLinks, ABellWakesWhoSleeps) {
  Pair pair;
  constexpr int kRounds = 3000;
  std::thread sleeper([&] {
    pair.one.AddWaiting(1);
    for (int i = 0; i < kRounds; ++i) {
      while (!pair.one.HasFrame(0)) pair.one.Sleep([&] { return pair.one.HasFrame(0); });
      Frame frame;
      EXPECT_TRUE(pair.one.Take(0, &frame));
      EXPECT_TRUE(pair.one.Put(0, HeaderOf(0, "back"), "back", nullptr));
      pair.one.Ring(0, /*urgent=*/true);
    }
    pair.one.AddWaiting(-1);
  });
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_TRUE(pair.zero.Put(1, HeaderOf(0, "there"), "there", nullptr));
    pair.zero.Ring(1, /*urgent=*/false);
    while (!pair.zero.HasFrame(1)) pair.zero.Sleep([&] { return pair.zero.HasFrame(1); });
    Frame frame;
    EXPECT_TRUE(pair.zero.Take(1, &frame));
  }
  sleeper.join();
}

TEST(SharedLinks, WhatIsNotUrgentWakesOnlyThoseThatWait) {
  Pair pair;
  std::atomic<int> woken = 0;
  std::thread sleeper([&] {
    while (woken >= 0) {
      pair.one.Sleep([] { return false; });
      ++woken;
    }
  });
  usleep(50000);
  pair.zero.Ring(1, /*urgent=*/false);
  usleep(50000);
  EXPECT_EQ(woken, 0);
  pair.zero.Ring(1, /*urgent=*/true);
  for (int i = 0; i < 10000 && woken == 0; ++i) usleep(1000);
  EXPECT_EQ(woken, 1);
  woken = -10;
  pair.one.Stop();
  sleeper.join();
}

TEST(SharedMemoryOptions, TheEnvironmentChoosesLess) {
  unsetenv("HALYARD_SHARED_MEMORY");
  auto options = SharedMemoryOptions::ForRanks(4);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->ranks_here, 4);
  EXPECT_GT(options->most_bytes, kMiB);
  EXPECT_EQ(SharedMemoryOptions::ForRanks(1)->most_bytes, 0u);
  setenv("HALYARD_SHARED_MEMORY", "1", 1);
  EXPECT_EQ(SharedMemoryOptions::ForRanks(4)->most_bytes, kMiB);
  setenv("HALYARD_SHARED_MEMORY", "0", 1);
  EXPECT_EQ(SharedMemoryOptions::ForRanks(4)->most_bytes, 0u);
  setenv("HALYARD_SHARED_MEMORY", "4000000000", 1);
  EXPECT_LE(SharedMemoryOptions::ForRanks(4)->most_bytes, uint64_t{16} << 30);
  setenv("HALYARD_SHARED_MEMORY", "much", 1);
  EXPECT_THAT(SharedMemoryOptions::ForRanks(4).status().message(), HasSubstr("not \"much\""));
  unsetenv("HALYARD_SHARED_MEMORY");
}

}  // namespace
}  // namespace halyard::ranks
