// A mesh of ranks in one process, connected by socket pairs.
#include "ranks/mesh.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <random>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ranks/socket_pairs.h"

namespace halyard::ranks {
namespace {

using ::testing::ElementsAre;

// Collects what arrives, as "RANK: …".
class Log : public Mesh::Receiver {
 public:
  void Receive(int rank, Frame frame) override {
    std::string body(reinterpret_cast<const char*>(frame.body.get()), frame.body_bytes);
    if (body.size() > 10) body = std::to_string(body.size()) + " bytes";
    Add(rank, std::to_string(frame.kind) + " " + std::to_string(frame.run) + " " + frame.head +
                  " [" + body + "]");
  }
  void Lost(int rank, const std::string& why) override { Add(rank, "lost: " + why); }
  void Left(int rank) override { Add(rank, "left"); }
  void Tick() override {}

  std::vector<std::string> Wait(size_t lines) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return lines_.size() >= lines; });
    return lines_;
  }

 private:
  void Add(int rank, const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(std::to_string(rank) + ": " + line);
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

std::shared_ptr<const uint8_t> BodyOf(const std::string& text) {
  auto* bytes = static_cast<uint8_t*>(malloc(text.size()));
  memcpy(bytes, text.data(), text.size());
  return std::shared_ptr<const uint8_t>(bytes, free);
}

SharedMemoryOptions Shared(uint64_t bytes) {
  SharedMemoryOptions options;
  options.most_bytes = bytes;
  options.free_memory = [] { return uint64_t{1} << 40; };
  return options;
}

// Waits until the ranks send each other frames through shared memory.
void AwaitShared(const Mesh& zero, const Mesh& one) {
  for (int i = 0; i < 60000 && !(zero.Shares(1) && one.Shares(0)); ++i) usleep(1000);
  ASSERT_TRUE(zero.Shares(1) && one.Shares(0));
}

TEST(Mesh, FramesKeepTheirOrderAndArriveBeforeTheEnd) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Log logs[2];
  auto zero = std::make_unique<Mesh>(0, sockets[0], 60, &logs[0]);
  auto one = std::make_unique<Mesh>(1, sockets[1], 60, &logs[1]);
  const std::string large(5'000'000, 'x');
  zero->Send(1, 3, 7, "head", BodyOf("body"), 4);
  zero->Send(1, 4, 8, "", BodyOf(large), large.size());
  // The other side is still sending. This must not lose what rank 0 sends last.
  for (int i = 0; i < 20; ++i) one->Send(0, 1, 1, "", BodyOf(large), large.size());
  zero->Send(1, 5, 9, "last");
  zero = nullptr;
  EXPECT_THAT(logs[1].Wait(4), ElementsAre("0: 3 7 head [body]", "0: 4 8  [5000000 bytes]",
                                           "0: 5 9 last []", "0: left"));
}

// Takes its time for each frame, as on a machine that others load.
class SlowLog : public Log {
 public:
  void Receive(int rank, Frame frame) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    Log::Receive(rank, std::move(frame));
  }
};

TEST(Mesh, WhoLeavesWaitsForARankThatIsSlow) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Log log;
  SlowLog slow;
  auto zero = std::make_unique<Mesh>(0, sockets[0], 60, &log);
  const Mesh one(1, sockets[1], 60, &slow);
  const std::string large(5'000'000, 'x');
  for (int i = 0; i < 3; ++i) zero->Send(1, 4, 8, "", BodyOf(large), large.size());
  zero = nullptr;
  EXPECT_THAT(slow.Wait(4), ElementsAre("0: 4 8  [5000000 bytes]", "0: 4 8  [5000000 bytes]",
                                        "0: 4 8  [5000000 bytes]", "0: left"));
}

TEST(Mesh, ALostRankIsReportedOnceToEachOther) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(3);
  Log logs[2];
  Mesh zero(0, sockets[0], 60, &logs[0]), one(1, sockets[1], 60, &logs[1]);
  for (const int socket : sockets[2]) {
    if (socket >= 0) close(socket);
  }
  EXPECT_THAT(logs[0].Wait(1), ElementsAre("2: lost: its connection has ended"));
  EXPECT_THAT(logs[1].Wait(1), ElementsAre("2: lost: its connection has ended"));
  zero.Send(2, 1, 1, "to nobody");
  zero.Send(1, 1, 1, "still here");
  EXPECT_THAT(logs[1].Wait(2),
              ElementsAre("2: lost: its connection has ended", "0: 1 1 still here []"));
}

TEST(Mesh, ASilentRankIsLostAndOneThatOnlyBeatsIsNot) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(3);
  Log logs[2];
  Mesh zero(0, sockets[0], 0.5, &logs[0]), one(1, sockets[1], 0.5, &logs[1]);
  // Rank 2's sockets are open, but nobody reads from them, so a long message to it is not taken.
  const std::string large(5'000'000, 'x');
  zero.Send(2, 1, 1, "", BodyOf(large), large.size());
  EXPECT_THAT(logs[0].Wait(1), ElementsAre("2: lost: nothing has come from it for 0.5 s"));
  EXPECT_THAT(logs[1].Wait(1), ElementsAre("2: lost: nothing has come from it for 0.5 s"));
  for (const int socket : sockets[2]) {
    if (socket >= 0) close(socket);
  }
}

TEST(Mesh, WhatIsNoFrameIsALoss) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Log log;
  Mesh zero(0, sockets[0], 60, &log);
  const std::string noise(100, 'n');
  ASSERT_EQ(send(sockets[1][0], noise.data(), noise.size(), 0), 100);
  EXPECT_THAT(log.Wait(1), ElementsAre("1: lost: it sends something else than frames"));
  close(sockets[1][0]);
}

// Checks that frames have the numbers 0, 1, … and bodies of that number.
class Counter : public Log {
 public:
  void Receive(int, Frame frame) override {
    const uint8_t value = static_cast<uint8_t>(frame.run);
    bool right = frame.run == received;
    for (const uint64_t at : {uint64_t{0}, frame.body_bytes / 2, frame.body_bytes - 1})
      right = right && (frame.body_bytes == 0 || frame.body.get()[at] == value);
    wrong += !right;
    if (frame.run % 3 == 0) kept_.push_back(frame.body);
    if (frame.run % 50 == 0) kept_.clear();
    ++received;
  }
  std::atomic<uint64_t> received = 0, wrong = 0;

 private:
  std::vector<std::shared_ptr<uint8_t>> kept_;  // uses some of the sender's memory for longer
};

// The memory is so small that frames go now one way and now the other.
TEST(Mesh, FramesKeepTheirOrderOverBothWays) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Counter counters[2];
  Mesh zero(0, sockets[0], 60, &counters[0], Shared(2 << 20));
  Mesh one(1, sockets[1], 60, &counters[1], Shared(2 << 20));
  AwaitShared(zero, one);
  constexpr uint64_t kFrames = 20000;
  std::vector<std::thread> threads;
  for (Mesh* mesh : {&zero, &one}) {
    threads.emplace_back([mesh] {
      std::mt19937 random(static_cast<uint32_t>(mesh->rank()));
      for (uint64_t i = 0; i < kFrames; ++i) {
        const uint64_t bytes = random() % (uint64_t{1} << (random() % 18));
        std::shared_ptr<uint8_t> body;
        if (bytes > 0) {
          body = mesh->NewBody(bytes);
          memset(body.get(), static_cast<int>(i % 256), bytes);
        }
        mesh->Send(1 - mesh->rank(), 7, i, "", body, bytes, /*urgent=*/random() % 2 == 0);
        if (random() % 4 == 0) mesh->Poll();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  zero.AddWaiting(1);
  one.AddWaiting(1);
  for (int i = 0; i < 60000; ++i) {
    if (counters[0].received == kFrames && counters[1].received == kFrames) break;
    usleep(1000);
  }
  for (const Counter& counter : counters) {
    EXPECT_EQ(counter.received, kFrames);
    EXPECT_EQ(counter.wrong, 0u);
  }
}

TEST(Mesh, WhatIsNotUrgentComesWhenSomebodyLooks) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Log logs[2];
  Mesh zero(0, sockets[0], 60, &logs[0], Shared(4 << 20));
  Mesh one(1, sockets[1], 60, &logs[1], Shared(4 << 20));
  AwaitShared(zero, one);
  zero.Send(1, 3, 0, "first", nullptr, 0, /*urgent=*/false);
  while (!one.Poll()) usleep(100);
  EXPECT_THAT(logs[1].Wait(1), ElementsAre("0: 3 0 first []"));
  EXPECT_FALSE(one.Poll());
  zero.Send(1, 3, 1, "later", nullptr, 0, /*urgent=*/false);
  zero.Send(1, 3, 2, "now");
  EXPECT_THAT(logs[1].Wait(3), ElementsAre("0: 3 0 first []", "0: 3 1 later []", "0: 3 2 now []"));
  one.AddWaiting(1);
  zero.Send(1, 3, 3, "to one who waits", nullptr, 0, /*urgent=*/false);
  EXPECT_EQ(logs[1].Wait(4).size(), 4u);
}

// What a rank put into shared memory is received before its loss or its leave is reported.
TEST(Mesh, TheLastFramesArriveThroughSharedMemory) {
  for (const bool killed : {false, true}) {
    std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
    Log logs[2];
    auto zero = std::make_unique<Mesh>(0, sockets[0], 60, &logs[0], Shared(4 << 20));
    Mesh one(1, sockets[1], 60, &logs[1], Shared(4 << 20));
    AwaitShared(*zero, one);
    const std::string large(1'000'000, 'x');
    const std::shared_ptr<uint8_t> body = zero->NewBody(large.size());
    memcpy(body.get(), large.data(), large.size());
    zero->Send(1, 3, 0, "", body, large.size(), /*urgent=*/false);
    zero->Send(1, 3, 1, "last", nullptr, 0, /*urgent=*/false);
    if (killed) (void)shutdown(sockets[0][1], SHUT_RDWR);
    if (!killed) zero = nullptr;
    EXPECT_THAT(logs[1].Wait(3),
                ElementsAre("0: 3 0  [1000000 bytes]", "0: 3 1 last []",
                            killed ? "0: lost: its connection has ended" : "0: left"));
  }
}

// One of the two has no memory to share, or less than the other's frames need.
TEST(Mesh, SocketsDoWhereMemoryIsNotShared) {
  std::vector<std::vector<int>> sockets = halyard::testing::SocketPairs(2);
  Log logs[2];
  auto zero = std::make_unique<Mesh>(0, sockets[0], 60, &logs[0], Shared(4 << 20));
  Mesh one(1, sockets[1], 60, &logs[1]);
  const std::string large(3'000'000, 'x');
  for (int i = 0; i < 2; ++i) zero->Send(1, 4, 8, "", BodyOf(large), large.size());
  EXPECT_FALSE(zero->Shares(1));
  one.Send(0, 1, 1, "back");
  EXPECT_THAT(logs[0].Wait(1), ElementsAre("1: 1 1 back []"));
  zero = nullptr;
  EXPECT_THAT(logs[1].Wait(3),
              ElementsAre("0: 4 8  [3000000 bytes]", "0: 4 8  [3000000 bytes]", "0: left"));
}

}  // namespace
}  // namespace halyard::ranks
