// Grids over ranks of which one leaves, gives up, is killed or goes silent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "client/processes/rank_frames.h"
#include "tests/client/grid/job.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

TEST(GridRanks, ARankThatLeavesEndsTheOthersRun) {
  const auto program = Compiled(absl::StrCat("HloModule m, replica_count=3\n", kAdd, kSum));
  Job job(3);
  std::thread leaving([&] {
    usleep(50000);
    job.Leave(2);
  });
  const auto results =
      job.Run(std::vector<Executable*>{program.get(), program.get(), nullptr}, {{S32({}, {1})}});
  leaving.join();
  EXPECT_THAT(Text(results[0]), HasSubstr("rank 2, process (2, 0), has left during the run"));
  EXPECT_THAT(Text(results[1]), HasSubstr("rank 2, process (2, 0), has left during the run"));
  const auto again =
      job.Run(std::vector<Executable*>{program.get(), program.get(), nullptr}, {{S32({}, {1})}});
  EXPECT_EQ(Text(again[0]), "rank 2 has left");
  EXPECT_EQ(Text(again[1]), "rank 2 has left");
}

TEST(GridRanks, ARankThatGivesUpSaysWhy) {
  const auto program = Compiled(absl::StrCat("HloModule m, replica_count=2\n", kAdd, kSum));
  Job job(2);
  std::thread giving_up([&] {
    usleep(50000);
    job.rank(1).GiveUp(absl::NotFoundError("there is no file x.npz"));
  });
  const auto results = job.Run(std::vector<Executable*>{program.get(), nullptr}, {{S32({}, {1})}});
  giving_up.join();
  EXPECT_EQ(Text(results[0]), "rank 1: there is no file x.npz");
  EXPECT_EQ(job.rank(0).Gather("").status().message(), "rank 1: there is no file x.npz");
}

struct Deaf : ranks::Mesh::Receiver {
  void Receive(int, ranks::Frame) override {}
  void Lost(int, const std::string&) override {}
  void Left(int) override {}
  void Tick() override {}
};

// Rank 2 reaches only rank 1. Rank 1 is still sending a long message to rank 0, and its handler
// ends the process at once.
TEST(GridRanks, WhyARankGivesUpIsPassedOnBeforeTheHandlerRuns) {
  const std::vector<std::vector<int>> sockets = SocketPairs(3);
  GridRanks first(0, sockets[0], 60), second(1, sockets[1], 60);
  Deaf deaf;
  ranks::Mesh third(2, sockets[2], 60, &deaf);
  std::promise<std::string> learnt;
  first.OnFailure(
      [&](const absl::Status& status) { learnt.set_value(std::string(status.message())); });
  second.OnFailure([&](const absl::Status&) {
    for (const int socket : sockets[1]) {
      if (socket >= 0) (void)shutdown(socket, SHUT_RDWR);
    }
  });
  ASSERT_TRUE(second.Gather(std::string(64 << 20, 'a')).ok());
  third.Send(1, kGiveUp, 0, "5 rank 2: there is no file x.npz");
  EXPECT_EQ(learnt.get_future().get(), "rank 2: there is no file x.npz");
}

// The third of three ranks is killed, or goes silent.
TEST(GridRanks, ALostRankIsNamedWithWhoWaitsForIt) {
  const auto program = Compiled(absl::StrCat("HloModule m, replica_count=3\n", kAdd, kSum));
  for (const bool killed : {true, false}) {
    std::vector<std::vector<int>> sockets = SocketPairs(3);
    std::vector<std::string> messages(2), afterwards(2);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        GridRanks ranks(static_cast<int>(i), sockets[i], killed ? 60 : 0.5, Shared(3));
        messages[i] = Text(program->RunGridLiterals({{S32({}, {1})}}, {{}, &ranks}));
        afterwards[i] = Text(program->RunGridLiterals({{S32({}, {1})}}, {{}, &ranks}));
      });
    }
    usleep(100000);
    for (const int socket : sockets[2]) {
      if (killed && socket >= 0) close(socket);
    }
    for (std::thread& thread : threads) thread.join();
    for (const int socket : sockets[2]) {
      if (!killed && socket >= 0) close(socket);
    }
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_THAT(messages[i], HasSubstr(killed ? "rank 2, process (2, 0), is lost: its connection "
                                                  "has ended; process ("
                                                : "rank 2, process (2, 0), is lost: nothing has "
                                                  "come from it for 0.5 s; process ("));
      EXPECT_THAT(messages[i], HasSubstr("(p.hlo:6:8) for (2, 0)"));
      EXPECT_EQ(afterwards[i], messages[i]);
    }
  }
}

}  // namespace
}  // namespace halyard::testing
