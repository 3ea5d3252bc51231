#include "ranks/shared_ring.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace halyard::ranks {
namespace {

struct alignas(64) Line {
  uint8_t bytes[64] = {};
};

class SharedRingTest : public ::testing::Test {
 protected:
  // Returns the oldest message, and removes it.
  std::string Take() {
    bool broken = true;
    std::string message(reader_.Front(&broken));
    EXPECT_FALSE(broken);
    reader_.Pop();
    return message;
  }
  std::vector<Line> memory_ = std::vector<Line>(SharedRing::kBytes / sizeof(Line));
  SharedRing writer_{memory_[0].bytes}, reader_{memory_[0].bytes};
};

TEST_F(SharedRingTest, MessagesKeepTheirOrder) {
  EXPECT_TRUE(SharedRing().empty());
  EXPECT_TRUE(reader_.empty());
  ASSERT_TRUE(writer_.Put({"one", " and ", "more"}));
  ASSERT_TRUE(writer_.Put({}));
  ASSERT_TRUE(writer_.Put({"two"}));
  EXPECT_FALSE(reader_.empty());
  EXPECT_EQ(Take(), "one and more");
  EXPECT_EQ(Take(), "");
  EXPECT_EQ(Take(), "two");
  EXPECT_TRUE(reader_.empty());
}

TEST_F(SharedRingTest, AFullRingTakesNothingUntilSomethingWasTaken) {
  EXPECT_FALSE(writer_.Put({std::string(SharedRing::kMostMessage + 1, 'x')}));
  const std::string most(SharedRing::kMostMessage, 'x');
  size_t count = 0;
  while (writer_.Put({most})) ++count;
  EXPECT_GE(count, 5u);
  EXPECT_EQ(Take(), most);
  EXPECT_EQ(Take(), most);
  EXPECT_TRUE(writer_.Put({"next"}));
  for (size_t i = 2; i < count; ++i) EXPECT_EQ(Take(), most);
  EXPECT_EQ(Take(), "next");
  EXPECT_TRUE(reader_.empty());
}

TEST_F(SharedRingTest, RandomMessagesBetweenTwoThreads) {
  constexpr int kMessages = 200000;
  const auto message = [](std::mt19937& random, int i) {
    std::string text = std::to_string(i);
    text.resize(text.size() + random() % (1u << (random() % 13)), static_cast<char>('a' + i % 26));
    return text;
  };
  std::thread writer([&] {
    std::mt19937 random(7);
    for (int i = 0; i < kMessages; ++i) {
      const std::string text = message(random, i);
      const size_t half = text.size() / 2;
      while (!writer_.Put({text.substr(0, half), text.substr(half)})) sched_yield();
    }
  });
  std::mt19937 random(7);
  int wrong = 0;
  for (int i = 0; i < kMessages; ++i) {
    while (reader_.empty()) sched_yield();
    wrong += Take() != message(random, i);
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(reader_.empty());
}

TEST_F(SharedRingTest, WhatIsNoMessageIsNoticed) {
  ASSERT_TRUE(writer_.Put({"fine"}));
  for (const uint64_t length : {uint64_t{SharedRing::kMostMessage} + 1, uint64_t{1} << 60}) {
    memcpy(memory_[2].bytes, &length, sizeof(length));
    bool broken = false;
    EXPECT_EQ(reader_.Front(&broken), "");
    EXPECT_TRUE(broken);
  }
}

}  // namespace
}  // namespace halyard::ranks
