// Grids spread over ranks. Here several ranks share one process, connected by socket pairs. Ranks
// in processes of their own are tested in tests/tools/run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "absl/strings/str_replace.h"
#include "client/processes/grid_ranks.h"
#include "client/processes/host_queue.h"
#include "client/processes/rank_frames.h"
#include "tests/client/grid/runs.h"
#include "tests/ranks/socket_pairs.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Executable> Compiled(const std::string& text) {
  auto module = ParseProgram(text, "p.hlo");
  EXPECT_TRUE(module.ok()) << module.status();
  auto executable = ClientFor("x86")->Compile(**module);
  EXPECT_TRUE(executable.ok()) << executable.status();
  return *std::move(executable);
}

class Job {
 public:
  explicit Job(int size, double timeout_seconds = 60) {
    std::vector<std::vector<int>> sockets = SocketPairs(size);
    for (int rank = 0; rank < size; ++rank) {
      ranks_.push_back(
          std::make_unique<GridRanks>(rank, sockets[static_cast<size_t>(rank)], timeout_seconds));
    }
  }
  GridRanks& rank(size_t i) { return *ranks_[i]; }
  void Leave(size_t i) { ranks_[i] = nullptr; }

  // Returns each rank's RunGrid result. `hosts` is by rank. Ranks without a program take no part.
  std::vector<absl::StatusOr<Grids>> Run(const std::vector<Executable*>& programs,
                                         const Grids& arguments,
                                         const std::vector<std::vector<ProcessHost*>>& hosts = {}) {
    std::vector<absl::StatusOr<Grids>> results(ranks_.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (programs[i] == nullptr) continue;
      threads.emplace_back([&, i] {
        results[i] = programs[i]->RunGridLiterals(
            arguments, {hosts.empty() ? std::vector<ProcessHost*>() : hosts[i], ranks_[i].get()});
      });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }
  // Returns the results of all processes, from the ranks that have run them, or the first error.
  std::string Run(Executable& program, const Grids& arguments,
                  const std::vector<std::vector<ProcessHost*>>& hosts = {}) {
    const std::vector<absl::StatusOr<Grids>> results =
        Run(std::vector<Executable*>(ranks_.size(), &program), arguments, hosts);
    Grids all(static_cast<size_t>(program.grid().size()));
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (!results[i].ok()) return Text(results[i]);
      const auto [first, end] = ranks_[i]->Processes(static_cast<uint32_t>(all.size()));
      for (uint32_t p = first; p < end; ++p) all[p] = (*results[i])[p];
    }
    return Text(absl::StatusOr<Grids>(all));
  }

 private:
  std::vector<std::unique_ptr<GridRanks>> ranks_;
};

// Every pattern, with small and large arrays, in a loop whose trip count depends on the data.
std::string Everything(int size) {
  std::string ring;
  for (int i = 0; i < size; ++i)
    absl::StrAppend(&ring, i == 0 ? "" : ",", "{", i, ",", (i + 1) % size, "}");
  constexpr char kText[] = R"(
addf { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
body {
  s = (s32[], s32[$N], f32[9000]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[$N] get-tuple-element(s), index=1
  w = f32[9000] get-tuple-element(s), index=2
  sum = s32[$N] all-reduce(x), replica_groups={}, to_apply=add
  left = s32[$N] collective-permute(x), source_target_pairs={$RING}
  turned = s32[$N] all-to-all(left), dimensions={0}
  first = s32[$N] collective-broadcast(x), replica_groups={{$LAST,0}}
  a = s32[$N] add(sum, left)
  b = s32[$N] add(turned, first)
  y = s32[$N] add(a, b)
  many = f32[9000] all-reduce(w), replica_groups={}, to_apply=addf
  some = f32[] constant(0.3)
  parts = f32[9000] broadcast(some), dimensions={}
  v = f32[9000] multiply(many, parts)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[$N], f32[9000]) tuple(j, y, v)
}
cond {
  s = (s32[], s32[$N], f32[9000]) parameter(0)
  x = s32[$N] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  own = s32[] reduce(x, zero), dimensions={0}, to_apply=add
  all = s32[] all-reduce(own), replica_groups={}, to_apply=add
  big = s32[] constant(100000)
  ROOT r = pred[] compare(all, big), direction=LT
}
ENTRY e {
  x = s32[$N] parameter(0)
  w = f32[9000] parameter(1)
  zero = s32[] constant(0)
  init = (s32[], s32[$N], f32[9000]) tuple(zero, x, w)
  ROOT loop = (s32[], s32[$N], f32[9000]) while(init), condition=cond, body=body
})";
  return absl::StrCat(
      "HloModule m, replica_count=", size, "\n", kAdd,
      absl::StrReplaceAll(
          kText, {{"$N", absl::StrCat(size)}, {"$RING", ring}, {"$LAST", absl::StrCat(size - 1)}}));
}

TEST(GridRanks, EveryPatternHasTheBitsOfThreads) {
  for (const int size : {4, 5}) {
    const std::unique_ptr<Executable> program = Compiled(Everything(size));
    Grids arguments;
    for (int p = 0; p < size; ++p) {
      std::vector<int64_t> values;
      for (int i = 0; i < size; ++i) values.push_back(p * 3 + i + 1);
      hlo::Literal many(hlo::Shape::Array(hlo::ElementType::kF32, {9000}));
      for (int i = 0; i < 9000; ++i) many.SetFloat(i, 0.1 * p + 0.0371 * i);
      arguments.push_back({S32({size}, values), many});
    }
    const absl::StatusOr<Grids> want = program->RunGridLiterals(arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    for (const int ranks : {2, 3, 4}) {
      Job job(ranks);
      for (int again = 0; again < 3; ++again)
        EXPECT_EQ(job.Run(*program, arguments), Text(want)) << ranks << " ranks";
    }
  }
}

// Send and recv between neighbors. It is not known in advance which process receives on a channel.
constexpr char kRing[] = R"(HloModule ring, num_partitions=2
to_one {
  x = s32[3] parameter(0)
  t = token[] after-all()
  s = (s32[3], u32[], token[]) send(x, t), channel_id=5
  d = token[] send-done(s), channel_id=5
  r = (s32[3], u32[], token[]) recv(d), channel_id=6
  e = (s32[3], token[]) recv-done(r), channel_id=6
  ROOT y = s32[3] get-tuple-element(e), index=0
}
from_zero {
  x = s32[3] parameter(0)
  t = token[] after-all()
  r = (s32[3], u32[], token[]) recv(t), channel_id=5
  e = (s32[3], token[]) recv-done(r), channel_id=5
  y = s32[3] get-tuple-element(e), index=0
  z = s32[3] multiply(x, y)
  u = token[] get-tuple-element(e), index=1
  s = (s32[3], u32[], token[]) send(z, u), channel_id=6
  d = token[] send-done(s), channel_id=6
  ROOT n = s32[3] negate(y)
}
ENTRY e {
  x = s32[3] parameter(0)
  id = u32[] partition-id()
  i = s32[] convert(id)
  ROOT c = s32[3] conditional(i, x, x), branch_computations={to_one, from_zero}
})";

TEST(GridRanks, SendAndReceive) {
  const std::unique_ptr<Executable> program = Compiled(kRing);
  Job job(2);
  for (int again = 0; again < 50; ++again) {
    EXPECT_EQ(job.Run(*program, {{S32({3}, {1, 2, 3})}, {S32({3}, {10, 20, 30})}}),
              "{10, 40, 90} | {-1, -2, -3}");
  }
}

constexpr char kFedOrMet[] = R"(
fed {
  x = s32[] parameter(0)
  t = token[] after-all()
  f = ((s32[]), token[]) infeed(t)
  d = (s32[]) get-tuple-element(f), index=0
  ROOT y = s32[] get-tuple-element(d), index=0
}
kept {
  x = s32[] parameter(0)
  ROOT y = s32[] negate(x)
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  c = s32[] conditional(i, x, x, x, x), branch_computations={kept, fed, fed, kept}
  ROOT y = s32[] all-reduce(c), replica_groups={}, to_apply=add
})";

// The third process waits for its host while the second one, which may be on another rank, fails.
TEST(GridRanks, AnErrorEndsTheRunOnAllRanksAndNotTheNext) {
  const std::unique_ptr<Executable> program =
      Compiled(absl::StrCat("HloModule m, replica_count=4\n", kAdd, kFedOrMet));
  for (const int ranks : {2, 4}) {
    Job job(ranks);
    for (int again = 0; again < 5; ++again) {
      ProcessHost hosts[8][4];
      std::vector<std::vector<ProcessHost*>> bad, good;
      for (int r = 0; r < 4; ++r) {
        ProcessHost *b = hosts[r], *g = hosts[r + 4];
        bad.push_back({&b[0], &b[1], &b[2], &b[3]});
        good.push_back({&g[0], &g[1], &g[2], &g[3]});
        ASSERT_TRUE(b[1].infeed.Push({S32({2}, {1, 2})}).ok());
        for (int p : {1, 2}) ASSERT_TRUE(g[p].infeed.Push({S32({}, {p * 10})}).ok());
      }
      for (const absl::StatusOr<Grids>& result :
           job.Run(std::vector<Executable*>(static_cast<size_t>(ranks), program.get()),
                   {{S32({}, {1})}}, bad)) {
        EXPECT_THAT(Text(result), HasSubstr("process (1, 0): "));
        EXPECT_THAT(Text(result), HasSubstr("the host gives s32[2], the program takes "));
      }
      EXPECT_EQ(job.Run(*program, {{S32({}, {1})}}, good), "28 | 28 | 28 | 28");
    }
  }
}

TEST(GridRanks, DeadlocksBetweenRanksNameBothSides) {
  // The first process waits in a collective that the others never reach.
  const std::unique_ptr<Executable> program =
      Compiled(absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
one {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={{0,1,2,3}}, to_apply=add
}
two {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={{3,2,1,0}}, to_apply=add
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  ROOT c = s32[] conditional(i, x, x), branch_computations={one, two}
})"));
  for (const int ranks : {2, 4}) {
    Job job(ranks);
    for (const absl::StatusOr<Grids>& result :
         job.Run(std::vector<Executable*>(static_cast<size_t>(ranks), program.get()),
                 {{S32({}, {1})}})) {
      EXPECT_EQ(result.status().code(), absl::StatusCode::kDeadlineExceeded) << result.status();
      EXPECT_THAT(Text(result), HasSubstr("deadlock: process (0, 0) waits at "));
      EXPECT_THAT(Text(result), HasSubstr("(p.hlo:6:8) for (1, 0)"));
      EXPECT_THAT(Text(result), HasSubstr("process (3, 0) waits at "));
      EXPECT_THAT(Text(result), HasSubstr("(p.hlo:10:8) for (0, 0)"));
    }
  }
}

constexpr char kSum[] = R"(
ENTRY e {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={}, to_apply=add
})";
constexpr char kOtherSum[] = R"(
ENTRY e {
  x = s32[] parameter(0)
  z = s32[] negate(x)
  ROOT y = s32[] all-reduce(z), replica_groups={}, to_apply=add
})";

TEST(GridRanks, OtherProgramsAreAnErrorOnBothSides) {
  const auto a = Compiled(absl::StrCat("HloModule ours, replica_count=3\n", kAdd, kSum));
  const auto b = Compiled(absl::StrCat("HloModule theirs, replica_count=3\n", kAdd, kOtherSum));
  Job job(3);
  for (const absl::StatusOr<Grids>& result :
       job.Run(std::vector<Executable*>{a.get(), a.get(), b.get()}, {{S32({}, {1})}})) {
    EXPECT_THAT(Text(result), HasSubstr(" runs another program ("));
    EXPECT_THAT(Text(result), HasSubstr("ours, 3 x 1 processes, "));
    EXPECT_THAT(Text(result), HasSubstr("theirs, 3 x 1 processes, "));
  }
  EXPECT_EQ(job.Run(*a, {{S32({}, {7})}}), "21 | 21 | 21");
}

// Ranks 1 and 2 compare their programs and leave before rank 0 begins.
TEST(GridRanks, WhoComesLateLearnsWhyTheOthersHaveLeft) {
  const auto a = Compiled(absl::StrCat("HloModule ours, replica_count=3\n", kAdd, kSum));
  const auto b = Compiled(absl::StrCat("HloModule theirs, replica_count=3\n", kAdd, kOtherSum));
  Job job(3);
  job.Run(std::vector<Executable*>{nullptr, a.get(), b.get()}, {{S32({}, {1})}});
  job.Leave(1);
  job.Leave(2);
  usleep(50000);
  const auto late = job.Run(std::vector<Executable*>{a.get(), nullptr, nullptr}, {{S32({}, {1})}});
  EXPECT_THAT(Text(late[0]), HasSubstr(" runs another program ("));
}

TEST(GridRanks, MoreRanksThanProcesses) {
  const auto program = Compiled(absl::StrCat("HloModule m, replica_count=2\n", kAdd, kSum));
  Job job(3);
  EXPECT_EQ(job.Run(*program, {{S32({}, {1})}}), "there are 3 ranks for 2 processes");
}

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
        GridRanks ranks(static_cast<int>(i), sockets[i], killed ? 60 : 0.5);
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

TEST(GridRanks, GatherGivesRankZeroWhatAllHave) {
  Job job(3);
  std::vector<std::thread> threads;
  for (size_t i = 1; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round)
        EXPECT_TRUE(job.rank(i).Gather(std::string(i, static_cast<char>('a' + round))).ok());
    });
  }
  for (int round = 0; round < 20; ++round) {
    const auto all = job.rank(0).Gather("zero");
    ASSERT_TRUE(all.ok()) << all.status();
    const char letter = static_cast<char>('a' + round);
    EXPECT_EQ(*all,
              (std::vector<std::string>{"zero", std::string(1, letter), std::string(2, letter)}));
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace halyard::testing
