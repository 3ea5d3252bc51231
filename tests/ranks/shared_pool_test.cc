#include "ranks/shared_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace halyard::ranks {
namespace {

constexpr uint64_t kMiB = 1 << 20, kBegin = 4096;

std::shared_ptr<SharedSegment> Segment(uint64_t bytes) {
  auto made = SharedSegment::Create(bytes);
  EXPECT_TRUE(made.ok()) << made.status();
  return *made;
}

uint64_t Plenty() { return ~uint64_t{0}; }

TEST(SharedPool, BlocksAreReusedOnceAllUsesAreDropped) {
  SharedPool pool(Segment(4 * kMiB), kBegin, Plenty, 1);
  uint8_t* block = pool.Allocate(kMiB);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(pool.Owns(block));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % SharedPool::kAlignment, 0u);
  SharedPool::AddUse(block);
  SharedPool::DropUse(block);
  EXPECT_NE(pool.Allocate(kMiB), block);
  SharedPool::DropUse(block);
  EXPECT_EQ(pool.Allocate(kMiB), block);
}

TEST(SharedPool, FreeNeighborsBecomeOneGap) {
  SharedPool pool(Segment(kBegin + 4 * kMiB), kBegin, Plenty, 1);
  std::vector<uint8_t*> blocks;
  while (uint8_t* block = pool.Allocate(kMiB / 2)) blocks.push_back(block);
  EXPECT_EQ(blocks.size(), 7u);
  EXPECT_EQ(pool.Allocate(kMiB), nullptr);
  for (const size_t i : {1, 3, 2}) SharedPool::DropUse(blocks[i]);
  EXPECT_EQ(pool.Allocate(kMiB * 3 / 2), blocks[1]);
  EXPECT_EQ(pool.Allocate(8 * kMiB), nullptr);
  EXPECT_EQ(pool.Allocate(~uint64_t{0}), nullptr);
}

// Nothing is allocated where the numbers do not allow it.
TEST(SharedPool, TakesMemoryOnlyWhileItIsPlenty) {
  uint64_t free = 100 * kMiB;
  SharedPool pool(
      Segment(64 * kMiB), kBegin, [&free] { return free; }, 8);
  EXPECT_EQ(pool.taken(), 0u);
  EXPECT_EQ(pool.Allocate(13 * kMiB), nullptr);
  EXPECT_EQ(pool.taken(), 0u);
  uint8_t* block = pool.Allocate(2 * kMiB);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(pool.taken(), 2 * kMiB);
  EXPECT_LE(pool.taken(), 3 * kMiB);
  const uint64_t taken = pool.taken();
  free = 0;
  EXPECT_EQ(pool.Allocate(2 * kMiB), nullptr);
  SharedPool::DropUse(block);
  EXPECT_EQ(pool.Allocate(2 * kMiB), block);  // this was taken before
  EXPECT_EQ(pool.taken(), taken);
}

TEST(SharedPool, RandomBlocksNeverOverlap) {
  SharedPool pool(Segment(8 * kMiB), kBegin, Plenty, 1);
  std::mt19937 random(1);
  struct Block {
    uint64_t bytes;
    uint8_t value;
  };
  std::map<uint8_t*, Block> blocks;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 == 0 && !blocks.empty()) {
      auto one = std::next(blocks.begin(), random() % blocks.size());
      for (const uint64_t at : {uint64_t{0}, one->second.bytes / 2, one->second.bytes - 1})
        ASSERT_EQ(one->first[at], one->second.value);
      SharedPool::DropUse(one->first);
      blocks.erase(one);
      continue;
    }
    const uint64_t bytes = 1 + random() % (uint64_t{1} << (random() % 20));
    uint8_t* block = pool.Allocate(bytes);
    if (block == nullptr) {
      ++refused;
      continue;
    }
    const uint8_t value = static_cast<uint8_t>(random());
    memset(block, value, bytes);
    ASSERT_TRUE(blocks.emplace(block, Block{bytes, value}).second);
  }
  EXPECT_LT(refused, 10000);
  for (const auto& [block, what] : blocks) SharedPool::DropUse(block);
  EXPECT_NE(pool.Allocate(7 * kMiB), nullptr);  // all is one gap again
}

TEST(SharedPool, ThreadsShareIt) {
  SharedPool pool(Segment(4 * kMiB), kBegin, Plenty, 1);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        uint8_t* block = pool.Allocate(1000 * t + 100);
        if (block == nullptr) continue;
        memset(block, t, 100);
        std::this_thread::yield();
        wrong += block[0] != t || block[99] != t;
        SharedPool::DropUse(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(SharedPool, OffsetsFromOthersAreChecked) {
  const std::shared_ptr<SharedSegment> segment = Segment(kMiB);
  SharedPool pool(segment, kBegin, Plenty, 1);
  uint8_t* block = pool.Allocate(1000);
  const uint64_t offset = pool.OffsetOf(block);
  EXPECT_EQ(SharedPool::BlockAt(*segment, offset, 1000), block);
  EXPECT_EQ(SharedPool::BlockAt(*segment, offset + 8, 1000), nullptr);
  EXPECT_EQ(SharedPool::BlockAt(*segment, offset, kMiB), nullptr);
  EXPECT_EQ(SharedPool::BlockAt(*segment, 2 * kMiB, 0), nullptr);
  EXPECT_EQ(SharedPool::BlockAt(*segment, 0, 8), nullptr);
  EXPECT_EQ(SharedPool::BlockAt(*segment, offset, ~uint64_t{0}), nullptr);
}

}  // namespace
}  // namespace halyard::ranks
