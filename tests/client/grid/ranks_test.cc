// Grids spread over ranks. Here several ranks share one process, connected by socket pairs. Ranks
// in processes of their own are tested in tests/tools/run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "absl/strings/str_replace.h"
#include "tests/client/grid/job.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

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
      ranks::SharedMemoryOptions none, plenty = Shared(ranks), scarce = plenty;
      scarce.free_memory = [] { return 0; };  // the large arrays go over sockets
      for (const ranks::SharedMemoryOptions& shared : {none, plenty, scarce}) {
        Job job(ranks, shared);
        for (int again = 0; again < 3; ++again)
          EXPECT_EQ(job.Run(*program, arguments), Text(want)) << ranks << " ranks";
        for (int to = 1; to < ranks; ++to)
          EXPECT_EQ(job.rank(0).Shares(to), shared.most_bytes != 0);
      }
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
  for (const uint64_t shared : {0, 8 << 20}) {
    Job job(2, Shared(2, shared));
    for (int again = 0; again < 50; ++again) {
      EXPECT_EQ(job.Run(*program, {{S32({3}, {1, 2, 3})}, {S32({3}, {10, 20, 30})}}),
                "{10, 40, 90} | {-1, -2, -3}");
    }
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
