// A mesh of ranks in one process, connected by socket pairs.
#include "ranks/mesh.h"

#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
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
  return std::shared_ptr<const uint8_t>(bytes, FreeBytes());
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

}  // namespace
}  // namespace halyard::ranks
