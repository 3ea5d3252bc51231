// Streams over messages, by a transport within this process, and a mesh on top of them.
#include "ranks/mpi_links.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ranks/mesh.h"

namespace halyard::ranks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Messages between ranks. A send is done when its message has been received, as MPI's may be.
class Messages {
 public:
  struct Sent {
    std::string bytes;
    bool received = false;
  };
  std::mutex mutex;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Sent>>> queues;  // by {from, to}
  std::map<int, std::string> errors;  // of calls that concern this rank
  int ended = 0;
};

class FakeTransport : public MpiTransport {
 public:
  FakeTransport(Messages* messages, int rank) : messages_(messages), rank_(rank) {}
  std::string Send(int rank, const uint8_t* bytes, int size, Transfer** transfer) override {
    const std::lock_guard<std::mutex> lock(messages_->mutex);
    if (messages_->errors.count(rank) != 0) return messages_->errors[rank];
    auto sent = std::make_shared<Messages::Sent>();
    sent->bytes.assign(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    messages_->queues[{rank_, rank}].push_back(sent);
    *transfer = reinterpret_cast<Transfer*>(new Pending{sent, nullptr, 0, rank});
    return "";
  }
  std::string Receive(int rank, uint8_t* bytes, int most, Transfer** transfer) override {
    *transfer = reinterpret_cast<Transfer*>(new Pending{nullptr, bytes, most, rank});
    return "";
  }
  std::string Test(Transfer** transfer, int* size) override {
    auto* pending = reinterpret_cast<Pending*>(*transfer);
    const std::lock_guard<std::mutex> lock(messages_->mutex);
    if (messages_->errors.count(pending->rank) != 0) return messages_->errors[pending->rank];
    if (pending->sent != nullptr) {
      if (!pending->sent->received) return "";
    } else {
      auto& queue = messages_->queues[{pending->rank, rank_}];
      if (queue.empty()) return "";
      EXPECT_LE(queue.front()->bytes.size(), static_cast<size_t>(pending->most));
      memcpy(pending->bytes, queue.front()->bytes.data(), queue.front()->bytes.size());
      *size = static_cast<int>(queue.front()->bytes.size());
      queue.front()->received = true;
      queue.pop_front();
    }
    delete pending;
    *transfer = nullptr;
    return "";
  }
  void End() override {
    const std::lock_guard<std::mutex> lock(messages_->mutex);
    ++messages_->ended;
  }

 private:
  struct Pending {
    std::shared_ptr<Messages::Sent> sent;
    uint8_t* bytes;
    int most, rank;
  };
  Messages* const messages_;
  const int rank_;
};

// Processes that are not watched.
std::vector<ProcessName> Elsewhere(int size) {
  std::vector<ProcessName> names(static_cast<size_t>(size));
  for (size_t i = 0; i < names.size(); ++i) names[i].machine = i;
  return names;
}

std::unique_ptr<MpiLinks> Linked(Messages* messages, int rank,
                                 const std::vector<ProcessName>& names) {
  auto links = MpiLinks::Create(std::make_unique<FakeTransport>(messages, rank), rank, names);
  EXPECT_TRUE(links.ok()) << links.status();
  return *std::move(links);
}

std::string ReadAll(int socket) {
  std::string all;
  char bytes[70000];
  for (ssize_t got; (got = recv(socket, bytes, sizeof(bytes), 0)) > 0;)
    all.append(bytes, static_cast<size_t>(got));
  return all;
}

TEST(MpiLinks, StreamsKeepTheirBytesAndEndSeparately) {
  Messages messages;
  auto zero = Linked(&messages, 0, Elsewhere(2)), one = Linked(&messages, 1, Elsewhere(2));
  const int a = zero->TakeSockets()[1], b = one->TakeSockets()[0];
  std::string large(9'000'000, ' ');
  std::mt19937 random(1);
  for (char& byte : large) byte = static_cast<char>(random());
  std::thread writing([&] {
    for (size_t at = 0; at < large.size();) {
      const size_t most = std::min<size_t>(1 + random() % 300000, large.size() - at);
      const ssize_t sent = send(a, large.data() + at, most, 0);
      ASSERT_GT(sent, 0);
      at += static_cast<size_t>(sent);
    }
    shutdown(a, SHUT_WR);
  });
  EXPECT_TRUE(ReadAll(b) == large);
  writing.join();
  ASSERT_EQ(send(b, "back", 4, 0), 4);  // the other direction is still open
  close(b);
  EXPECT_EQ(ReadAll(a), "back");
  close(a);
  std::thread second([&] { one = nullptr; });
  zero = nullptr;
  second.join();
  EXPECT_EQ(messages.ended, 2);
}

TEST(MpiLinks, AnErrorOfMpiEndsTheStreamOfThatRankAlone) {
  Messages messages;
  const std::vector<ProcessName> names = Elsewhere(3);
  auto zero = Linked(&messages, 0, names), one = Linked(&messages, 1, names);
  const std::vector<int> sockets = zero->TakeSockets();
  const int from_one = one->TakeSockets()[0];
  {
    const std::lock_guard<std::mutex> lock(messages.mutex);
    messages.errors[2] = "MPI_ERR_PROC_FAILED";
  }
  EXPECT_EQ(ReadAll(sockets[2]), "");
  ASSERT_EQ(send(from_one, "still", 5, 0), 5);
  char bytes[5];
  EXPECT_EQ(recv(sockets[1], bytes, 5, MSG_WAITALL), 5);
  for (const int socket : {sockets[1], sockets[2], from_one}) close(socket);
  zero = nullptr;
  one = nullptr;
  EXPECT_EQ(messages.ended, 0);  // MPI cannot end without the third
}

TEST(MpiLinks, TheEndOfAProcessOfThisMachineEndsItsStream) {
  Messages messages;
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  std::vector<ProcessName> names(2, ProcessName::Own());
  names[1].number = child;
  auto zero = Linked(&messages, 0, names);
  const int socket = zero->TakeSockets()[1];
  char byte;
  usleep(300000);
  EXPECT_EQ(recv(socket, &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  kill(child, SIGKILL);
  EXPECT_EQ(recv(socket, &byte, 1, 0), 0);
  waitpid(child, nullptr, 0);
  close(socket);
  zero = nullptr;
  EXPECT_EQ(messages.ended, 0);
}

TEST(MpiLinks, WhoHasFailedDoesNotWaitForTheOthersInTheEnd) {
  Messages messages;
  auto zero = Linked(&messages, 0, Elsewhere(2)), one = Linked(&messages, 1, Elsewhere(2));
  for (MpiLinks* links : {zero.get(), one.get()}) {
    for (const int socket : links->TakeSockets()) {
      if (socket >= 0) close(socket);
    }
    links->Fail();
  }
  zero = nullptr;
  one = nullptr;
  EXPECT_EQ(messages.ended, 0);
}

// Collects what arrives, as "RANK: …".
class Log : public Mesh::Receiver {
 public:
  void Receive(int rank, Frame frame) override {
    Add(rank, frame.head + " " + std::to_string(frame.body_bytes));
  }
  void Lost(int rank, const std::string& why) override { Add(rank, "lost: " + why); }
  void Left(int rank) override { Add(rank, "left"); }
  void Tick() override {}
  std::vector<std::string> Wait(size_t lines) {
    for (int i = 0; i < 60000; ++i) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (lines_.size() >= lines) return lines_;
      }
      usleep(1000);
    }
    return lines_;
  }

 private:
  void Add(int rank, const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(std::to_string(rank) + ": " + line);
  }
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST(MpiLinks, AMeshLeavesThroughThem) {
  Messages messages;
  const std::vector<ProcessName> names = Elsewhere(3);
  std::vector<std::unique_ptr<MpiLinks>> links;
  Log logs[3];
  std::vector<std::unique_ptr<Mesh>> meshes;
  for (int rank = 0; rank < 3; ++rank) {
    links.push_back(Linked(&messages, rank, names));
    meshes.push_back(std::make_unique<Mesh>(rank, links.back()->TakeSockets(), 60, &logs[rank]));
  }
  for (int from : {0, 1}) {
    const std::shared_ptr<uint8_t> body = meshes[from]->NewBody(3'000'000);
    memset(body.get(), from, 3'000'000);
    meshes[from]->Send(2, 7, 1, "from " + std::to_string(from), body, 3'000'000);
  }
  EXPECT_EQ(logs[2].Wait(2).size(), 2u);
  std::vector<std::thread> threads;
  for (int rank : {0, 1, 2}) {
    threads.emplace_back([&, rank] {
      meshes[rank] = nullptr;
      links[rank] = nullptr;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(messages.ended, 3);
}

TEST(MpiLinks, ASilentRankIsLostByTheMeshesTimeOut) {
  Messages messages;
  auto zero = Linked(&messages, 0, Elsewhere(2));
  Log log;
  auto mesh = std::make_unique<Mesh>(0, zero->TakeSockets(), 0.5, &log);
  EXPECT_THAT(log.Wait(1), ElementsAre("1: lost: nothing has come from it for 0.5 s"));
  mesh = nullptr;
  zero->Fail();
}

}  // namespace
}  // namespace halyard::ranks
