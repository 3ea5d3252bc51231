// Channels between processes, and between processes and their hosts (infeed, outfeed and
// transfers), on every target.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/strings/substitute.h"
#include "client/processes/host_queue.h"
#include "tests/client/grid/runs.h"

namespace halyard::testing {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Targets, GridTest, ::testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

// Each channel has one sending process and one receiving process.
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

TEST_P(GridTest, SendAndReceive) {
  const Grids arguments = {{S32({3}, {1, 2, 3})}, {S32({3}, {10, 20, 30})}};
  EXPECT_EQ(Text(RunGridOn(GetParam(), kRing, arguments)), "{10, 40, 90} | {-1, -2, -3}");
}

// Every process executes both, and sends and receives where a pair says so. Without a channel above
// 0, ids are replicas, and with one, partitions.
TEST_P(GridTest, PairsSayWhoSendsToWhom) {
  constexpr char kText[] = R"(HloModule m, $0
ENTRY e {
  x = s32[2] parameter(0)
  t = token[] after-all()
  r = (s32[2], u32[], token[]) recv(t), channel_id=$1, frontend_attributes={_xla_send_recv_source_target_pairs=$2}
  e = (s32[2], token[]) recv-done(r), channel_id=$1
  s = (s32[2], u32[], token[]) send(x, t), channel_id=$1, frontend_attributes={_xla_send_recv_source_target_pairs=$2}
  d = token[] send-done(s), channel_id=$1
  y = s32[2] get-tuple-element(e), index=0
  ROOT n = s32[2] negate(y)
})";
  const auto run = [&](const char* grid, int channel, const char* pairs, int64_t processes) {
    Grids arguments;
    for (int64_t i = 0; i < processes; ++i) arguments.push_back({S32({2}, {i + 1, 7})});
    return Text(RunGridOn(GetParam(), absl::Substitute(kText, grid, channel, pairs), arguments));
  };
  EXPECT_EQ(run("num_partitions=3", 2, "{{0,1},{1,2}}", 3), "{0, 0} | {-1, -7} | {-2, -7}");
  EXPECT_EQ(run("num_partitions=3", 2, "{{0,1},{1,2},{2,0}}", 3), "{-3, -7} | {-1, -7} | {-2, -7}");
  EXPECT_EQ(run("replica_count=2, num_partitions=2", 0, "{{1,0}}", 4),
            "{-3, -7} | {-4, -7} | {0, 0} | {0, 0}");
  EXPECT_EQ(run("replica_count=1", 1, "{{0,0}}", 1), "{-1, -7}");
}

// recv-done comes first in the text, and each process waits for what the other sends later.
TEST_P(GridTest, SendsAreNotBehindReceives) {
  constexpr char kText[] = R"(HloModule m, num_partitions=2
zero {
  x = s32[] parameter(0)
  t = token[] after-all()
  r = (s32[], u32[], token[]) recv(t), channel_id=1
  e = (s32[], token[]) recv-done(r), channel_id=1
  s = (s32[], u32[], token[]) send(x, t), channel_id=2
  d = token[] send-done(s), channel_id=2
  ROOT y = s32[] get-tuple-element(e), index=0
}
one {
  x = s32[] parameter(0)
  t = token[] after-all()
  r = (s32[], u32[], token[]) recv(t), channel_id=2
  e = (s32[], token[]) recv-done(r), channel_id=2
  s = (s32[], u32[], token[]) send(x, t), channel_id=1
  d = token[] send-done(s), channel_id=1
  ROOT y = s32[] get-tuple-element(e), index=0
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] partition-id()
  i = s32[] convert(id)
  ROOT c = s32[] conditional(i, x, x), branch_computations={zero, one}
})";
  EXPECT_EQ(Text(RunGridOn(GetParam(), kText, {{S32({}, {1})}, {S32({}, {2})}})), "2 | 1");
}

// Each iteration doubles what it reads. A negative number is the last one.
constexpr char kDoubles[] = R"(HloModule m, replica_count=2
body {
  s = (s32[], token[]) parameter(0)
  t = token[] get-tuple-element(s), index=1
  f = ((s32[2]), token[]) infeed(t)
  d = (s32[2]) get-tuple-element(f), index=0
  x = s32[2] get-tuple-element(d), index=0
  u = token[] get-tuple-element(f), index=1
  y = s32[2] add(x, x)
  o = token[] outfeed(y, u), outfeed_shape=s32[2]
  h = s32[1] slice(x), slice={[0:1]}
  c = s32[] reshape(h)
  ROOT r = (s32[], token[]) tuple(c, o)
}
cond {
  s = (s32[], token[]) parameter(0)
  c = s32[] get-tuple-element(s), index=0
  zero = s32[] constant(0)
  ROOT r = pred[] compare(c, zero), direction=GE
}
ENTRY e {
  t = token[] after-all()
  zero = s32[] constant(0)
  init = (s32[], token[]) tuple(zero, t)
  loop = (s32[], token[]) while(init), condition=cond, body=body
  ROOT c = s32[] get-tuple-element(loop), index=0
})";

TEST_P(GridTest, InfeedAndOutfeedWhileTheProgramRuns) {
  const bool is_reference = GetParam() == std::string("reference");
  // The reference evaluator needs all items before it starts.
  const int rounds = is_reference ? 50 : GetParam() == std::string("x86") ? 100000 : 2000;
  const size_t capacity = is_reference ? HostQueue::kUnbounded : 4;
  ProcessHost hosts[2] = {ProcessHost(capacity), ProcessHost(capacity)};
  std::vector<int64_t> sums(2);
  const auto feed = [&](int p) {
    for (int i = 1; i <= rounds; ++i) {
      const int64_t value = i == rounds ? -1 : i;
      ASSERT_TRUE(hosts[p].infeed.Push({S32({2}, {value, p})}).ok());
    }
  };
  const auto take = [&](int p) {
    for (int i = 0; i < rounds; ++i) {
      auto item = hosts[p].outfeed.Pop();
      ASSERT_TRUE(item.ok()) << item.status();
      sums[p] += (*item)[0].GetInt(0) + (*item)[0].GetInt(1);
    }
  };
  std::vector<std::thread> threads;
  for (int p = 0; p < 2; ++p) {
    if (is_reference) {
      feed(p);
    } else {
      threads.emplace_back(feed, p);
      threads.emplace_back(take, p);
    }
  }
  EXPECT_EQ(Text(RunGridOn(GetParam(), kDoubles, {{}}, {.hosts = {&hosts[0], &hosts[1]}})),
            "-1 | -1");
  for (std::thread& thread : threads) thread.join();
  if (is_reference) {
    for (int p = 0; p < 2; ++p) take(p);
  }
  const int64_t total = int64_t{rounds} * (rounds - 1) - 2;
  EXPECT_EQ(sums, (std::vector<int64_t>{total, total + 2 * rounds}));
  EXPECT_FALSE(hosts[0].outfeed.Pop().ok());  // the queue is closed
}

// One of two hosts closes a queue while the program needs it.
TEST_P(GridTest, AQueueThatIsClosedEarlyEndsTheRun) {
  if (GetParam() == std::string("reference")) GTEST_SKIP() << "it does not wait for a host";
  for (const bool infeed : {true, false}) {
    ProcessHost hosts[2] = {ProcessHost(2), ProcessHost(2)};
    std::vector<std::thread> threads;
    for (ProcessHost& host : hosts) {
      threads.emplace_back([&host] {
        int pushed = 0;
        while (host.infeed.Push({S32({2}, {1, 2})}).ok()) ++pushed;
        EXPECT_GT(pushed, 0);
        EXPECT_EQ(host.infeed.Push({S32({2}, {1, 2})}).code(),
                  absl::StatusCode::kFailedPrecondition);
      });
      threads.emplace_back([&host] {
        absl::Status last;
        while (last.ok()) last = host.outfeed.Pop().status();
        EXPECT_EQ(last.code(), absl::StatusCode::kOutOfRange);
      });
    }
    threads.emplace_back([&hosts, infeed] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      (infeed ? hosts[1].infeed : hosts[1].outfeed).Close();
    });
    const absl::StatusOr<Grids> got =
        RunGridOn(GetParam(), kDoubles, {{}}, {.hosts = {&hosts[0], &hosts[1]}});
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(Text(got), HasSubstr("process (1, 0): "));
    EXPECT_THAT(Text(got), HasSubstr("the queue is closed"));
    EXPECT_THAT(Text(got), HasSubstr(infeed ? "infeed" : "outfeed"));
  }
}

// The trip count of the loop is known without its condition. But the condition sends values to the
// host, so it must run each time.
TEST_P(GridTest, AConditionThatGivesSomethingIsAskedEachTime) {
  constexpr char kText[] = R"(HloModule m
cond {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  t = token[] after-all()
  o = token[] outfeed(i, t), outfeed_shape=s32[]
  n = s32[] constant($0)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[] add(x, x)
  ROOT r = (s32[], s32[]) tuple(j, y)
}
ENTRY e {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[]) tuple(zero, x)
  loop = (s32[], s32[]) while(init), condition=cond, body=body$1
  ROOT r = s32[] get-tuple-element(loop), index=1
})";
  for (const int rounds : {0, 3}) {
    for (const bool stated : {false, true}) {
      const std::string count =
          absl::StrCat(", backend_config={\"known_trip_count\":{\"n\":\"", rounds, "\"}}");
      const std::string text = absl::Substitute(kText, rounds, stated ? count : "");
      ProcessHost host;
      EXPECT_EQ(Text(RunGridOn(GetParam(), text, {{S32({}, {1})}}, {.hosts = {&host}})),
                absl::StrCat(1 << rounds));
      std::vector<int64_t> given;
      for (const std::vector<Literal>& item : host.outfeed.TakeAll())
        given.push_back(item[0].GetInt(0));
      EXPECT_EQ(given, rounds == 0 ? (std::vector<int64_t>{0}) : (std::vector<int64_t>{0, 1, 2, 3}))
          << text;
    }
  }
}

TEST_P(GridTest, TransfersToAndFromTheHost) {
  constexpr char kText[] = R"(HloModule m, replica_count=2
ENTRY e {
  x = s32[2] parameter(0)
  t = token[] after-all()
  s = (s32[2], u32[], token[]) send(x, t), channel_id=3, is_host_transfer=true
  d = token[] send-done(s), channel_id=3, is_host_transfer=true
  r = (f32[], u32[], token[]) recv(d), channel_id=4, is_host_transfer=true
  e = (f32[], token[]) recv-done(r), channel_id=4, is_host_transfer=true
  ROOT y = f32[] get-tuple-element(e), index=0
})";
  ProcessHost hosts[2];
  for (int p = 0; p < 2; ++p) {
    Literal value(hlo::Shape::Scalar(ElementType::kF32));
    value.SetFloat(0, p + 0.5);
    ASSERT_TRUE(hosts[p].to_device(4).Push({value}).ok());
  }
  EXPECT_EQ(Text(RunGridOn(GetParam(), kText, {{S32({2}, {1, 2})}, {S32({2}, {3, 4})}},
                           {.hosts = {&hosts[0], &hosts[1]}})),
            "0.5 | 1.5");
  EXPECT_EQ(hosts[1].sent_channels(), std::vector<int64_t>{3});
  EXPECT_EQ((*hosts[1].to_host(3).Pop())[0].ToString(), "{3, 4}");
}

// An error of one process ends the waits of all others, whether for an exchange or for the host.
TEST_P(GridTest, AnErrorEndsAllProcesses) {
  // The reference would report the empty infeed of the third process as an error, perhaps as the
  // first one.
  const bool is_reference = GetParam() == std::string("reference");
  const std::string text = absl::StrCat("HloModule m, replica_count=3\n", kAdd, R"(
fed {
  x = s32[] parameter(0)
  t = token[] after-all()
  f = ((s32[]), token[]) infeed(t)
  d = (s32[]) get-tuple-element(f), index=0
  ROOT y = s32[] get-tuple-element(d), index=0
}
met {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={}, to_apply=add
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  ROOT c = s32[] conditional(i, x, x, x), branch_computations={met, fed, )",
                                        is_reference ? "met" : "fed", "}\n}");
  ProcessHost hosts[3];
  // The host of the second process sends what the program does not accept. The other hosts send
  // nothing.
  ASSERT_TRUE(hosts[1].infeed.Push({S32({2}, {1, 2})}).ok());
  const std::string message = Text(
      RunGridOn(GetParam(), text, {{S32({}, {1})}}, {.hosts = {&hosts[0], &hosts[1], &hosts[2]}}));
  EXPECT_THAT(message, HasSubstr("process (1, 0): "));
  EXPECT_THAT(message, HasSubstr("the host gives s32[2], the program takes "));
}

TEST(HostQueue, ClosingEarlyIsAnErrorOnBothSides) {
  HostQueue queue(1);
  ASSERT_TRUE(queue.Push({S32({}, {1})}).ok());
  std::thread late(
      [&] { EXPECT_EQ(queue.Push({S32({}, {2})}).code(), absl::StatusCode::kFailedPrecondition); });
  queue.Close();
  late.join();
  EXPECT_TRUE(queue.Pop().ok());
  EXPECT_EQ(queue.Pop().status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace halyard::testing
