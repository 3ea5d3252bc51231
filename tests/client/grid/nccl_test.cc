// Grids whose ranks have a GPU each, and exchange arrays by NCCL. Here, ranks share this process,
// GPUs are those of the fake driver, which interprets kernels, and NCCL is the fake.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tests/client/grid/job.h"
#include "tests/client/grid/random_collectives.h"
#include "tests/fakes/fake_libcuda.h"
#include "tests/fakes/fake_nccl.h"
#include "tests/fakes/use_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kDevices = 4;

// A folder with NCCL alone, so that products and transforms stay our own.
std::string FolderWithNccl() {
  const std::string folder = absl::StrCat(::testing::TempDir(), "/nccl_", getpid());
  std::filesystem::create_directories(folder);
  std::error_code ignored;
  std::filesystem::create_symlink(HALYARD_FAKE_CUDA_LIBRARIES "/libnccl.so.2",
                                  folder + "/libnccl.so.2", ignored);
  return folder;
}

class GridNcclTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!UseFakeCuda()) return;
    setenv("HALYARD_CUDA_LIBRARIES", FolderWithNccl().c_str(), 1);
    driver_ = reinterpret_cast<FakeCuda* (*)()>(
        dlsym(dlopen(HALYARD_FAKE_LIBCUDA, RTLD_NOW), "HalyardFakeCuda"))();
    driver_->devices = kDevices;
    nccl_ = reinterpret_cast<FakeNccl* (*)()>(
        dlsym(dlopen(HALYARD_FAKE_CUDA_LIBRARIES "/libnccl.so.2", RTLD_NOW), "HalyardFakeNccl"))();
    // Never destroyed, as in clients.cc.
    clients_ = new std::vector<std::unique_ptr<Client>>;
    for (int device = 0; device < kDevices; ++device) {
      auto client = Client::Create({.target = "cuda", .device_index = device, .threads = 1});
      ASSERT_TRUE(client.ok()) << client.status();
      clients_->push_back(*std::move(client));
    }
  }
  void SetUp() override {
    if (nccl_ == nullptr) GTEST_SKIP() << "there is a GPU";
    *nccl_ = FakeNccl{.live = nccl_->live};
    driver_->violations.clear();
  }
  void TearDown() override {
    if (nccl_ == nullptr) return;
    EXPECT_THAT(nccl_->violations, IsEmpty());
    EXPECT_THAT(driver_->violations, IsEmpty());
  }

  // Compiles the program for each rank's device.
  static std::vector<std::unique_ptr<Executable>> Compiled(const std::string& text, int ranks) {
    std::vector<std::unique_ptr<Executable>> programs;
    auto module = ParseProgram(text, "p.hlo");
    EXPECT_TRUE(module.ok()) << module.status();
    for (int rank = 0; rank < ranks; ++rank) {
      auto executable = (*clients_)[static_cast<size_t>(rank % kDevices)]->Compile(**module);
      EXPECT_TRUE(executable.ok()) << executable.status();
      programs.push_back(*std::move(executable));
    }
    return programs;
  }
  static std::vector<Executable*> Pointers(
      const std::vector<std::unique_ptr<Executable>>& programs) {
    std::vector<Executable*> pointers;
    for (const auto& program : programs) pointers.push_back(program.get());
    return pointers;
  }
  // Returns the results of all processes, or the first error.
  static absl::StatusOr<Grids> Run(Job& job,
                                   const std::vector<std::unique_ptr<Executable>>& programs,
                                   const Grids& arguments) {
    std::vector<absl::StatusOr<Grids>> results = job.Run(Pointers(programs), arguments);
    Grids all(static_cast<size_t>(programs[0]->grid().size()));
    for (size_t i = 0; i < results.size(); ++i) {
      if (!results[i].ok()) return results[i].status();
      const auto [first, end] = job.rank(i).Processes(static_cast<uint32_t>(all.size()));
      for (uint32_t p = first; p < end; ++p) all[p] = (*results[i])[p];
    }
    return all;
  }

  static FakeCuda* driver_;
  static FakeNccl* nccl_;
  static std::vector<std::unique_ptr<Client>>* clients_;
};
FakeCuda* GridNcclTest::driver_ = nullptr;
FakeNccl* GridNcclTest::nccl_ = nullptr;
std::vector<std::unique_ptr<Client>>* GridNcclTest::clients_ = nullptr;

// A loop whose length depends on the data, with every pattern, large and small arrays, groups of
// different sizes, and processes in no group.
constexpr char kEverything[] = R"(
addf { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
body {
  s = (s32[], s32[4], f32[9001]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[4] get-tuple-element(s), index=1
  w = f32[9001] get-tuple-element(s), index=2
  sum = s32[4] all-reduce(x), replica_groups={}, to_apply=add
  left = s32[4] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,0}}
  own = s32[4] collective-permute(x), source_target_pairs={{3,3},{0,1}}
  turned = s32[4] all-to-all(left), dimensions={0}
  first = s32[4] collective-broadcast(x), replica_groups={{3,0}}
  some = s32[4] all-reduce(x), replica_groups={{2,0,1},{3}}, to_apply=add
  pair = s32[8] all-gather(x), dimensions={0}, replica_groups={{1,0},{2,3}}
  half = s32[4] slice(pair), slice={[2:6]}
  a = s32[4] add(sum, left)
  b = s32[4] add(turned, first)
  c = s32[4] add(some, half)
  d = s32[4] add(a, b)
  f = s32[4] add(c, own)
  y = s32[4] add(d, f)
  many = f32[9001] all-reduce(w), replica_groups={}, to_apply=addf
  part = f32[] constant(0.3)
  parts = f32[9001] broadcast(part), dimensions={}
  v = f32[9001] multiply(many, parts)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[4], f32[9001]) tuple(j, y, v)
}
cond {
  s = (s32[], s32[4], f32[9001]) parameter(0)
  x = s32[4] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  own = s32[] reduce(x, zero), dimensions={0}, to_apply=add
  all = s32[] all-reduce(own), replica_groups={}, to_apply=add
  big = s32[] constant(1000000)
  ROOT r = pred[] compare(all, big), direction=LT
}
ENTRY e {
  x = s32[4] parameter(0)
  w = f32[9001] parameter(1)
  zero = s32[] constant(0)
  init = (s32[], s32[4], f32[9001]) tuple(zero, x, w)
  ROOT loop = (s32[], s32[4], f32[9001]) while(init), condition=cond, body=body
})";

std::string Everything() {
  return absl::StrCat("HloModule m, replica_count=4\n", kAdd, kEverything);
}

Grids ArgumentsOfEverything() {
  Grids arguments;
  for (int p = 0; p < 4; ++p) {
    hlo::Literal many(hlo::Shape::Array(hlo::ElementType::kF32, {9001}));
    for (int i = 0; i < 9001; ++i) many.SetFloat(i, 0.1 * p + 0.0371 * i);
    arguments.push_back({S32({4}, {p * 3 + 1, p, 7, 2 * p}), many});
  }
  return arguments;
}

TEST_F(GridNcclTest, EveryPatternHasTheEvaluatorsBits) {
  const Grids arguments = ArgumentsOfEverything();
  const absl::StatusOr<Grids> want = RunGridOn("reference", Everything(), arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  const auto programs = Compiled(Everything(), 4);
  Job job(4);
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(Text(Run(job, programs, arguments)), Text(want));
    // {0, 1, 2, 3}, {0, 1, 2}, {0, 1}, {3, 0}, {2, 0, 1}, {1, 0}, {2, 3}, which are kept.
    EXPECT_EQ(nccl_->made, 4 + 3 + 2 + 2 + 3 + 2 + 2);
  }
  EXPECT_GT(nccl_->calls["ncclAllGather"], 0);
  EXPECT_GT(nccl_->calls["ncclBroadcast"], 0);
  EXPECT_GT(nccl_->calls["ncclSend"], 0);
  EXPECT_GT(nccl_->sent_bytes, 4 * 9001 * 4u);
}

TEST_F(GridNcclTest, RandomCollectivesAgreeWithTheEvaluator) {
  const uint32_t count = std::getenv("HALYARD_NIGHTLY") != nullptr ? 300 : 8;
  uint32_t done = 0;
  for (uint32_t seed = 1; done < count; ++seed) {
    RandomProgram program(seed);
    if (program.processes() > kDevices) continue;
    ++done;
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text()));
    Grids arguments;
    for (int64_t i = 0; i < program.processes(); ++i) arguments.push_back({program.Argument()});
    const absl::StatusOr<Grids> want = RunGridOn("reference", program.text(), arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    const int ranks = static_cast<int>(program.processes());
    Job job(ranks);
    const absl::StatusOr<Grids> got = Run(job, Compiled(program.text(), ranks), arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t p = 0; p < want->size(); ++p) {
      ASSERT_TRUE((*got)[p][0].BitwiseEqual((*want)[p][0])) << "process " << p;
    }
  }
  EXPECT_GT(nccl_->sent_bytes, 0u);
}

// Two processes of a device cannot be in one communicator.
TEST_F(GridNcclTest, ProcessesThatShareADeviceGoThroughTheHost) {
  const Grids arguments = ArgumentsOfEverything();
  const absl::StatusOr<Grids> want = RunGridOn("reference", Everything(), arguments);
  for (const int ranks : {1, 2}) {
    const auto programs = Compiled(Everything(), ranks);
    Job job(ranks);
    EXPECT_EQ(Text(Run(job, programs, arguments)), Text(want)) << ranks;
  }
  const auto threads = Compiled(Everything(), 1)[0]->RunGridLiterals(arguments);
  EXPECT_EQ(Text(threads), Text(want));
}

TEST_F(GridNcclTest, WithoutLibrariesNothingCallsNccl) {
  auto client = Client::Create({.target = "cuda", .use_libraries = false});
  ASSERT_TRUE(client.ok()) << client.status();
  auto module = ParseProgram(Everything(), "p.hlo");
  auto executable = (*client)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const Grids arguments = ArgumentsOfEverything();
  EXPECT_EQ(Text((*executable)->RunGridLiterals(arguments)),
            Text(RunGridOn("reference", Everything(), arguments)));
  EXPECT_TRUE(nccl_->calls.empty());
}

// The first process waits in an exchange that the others never reach.
TEST_F(GridNcclTest, DeadlocksSayWhoWaitsForWhom) {
  const std::string text = absl::StrCat("HloModule m, replica_count=4\n", kAdd, R"(
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
})");
  const auto programs = Compiled(text, 4);
  Job job(4);
  const absl::StatusOr<Grids> got = Run(job, programs, {{S32({}, {1})}});
  EXPECT_EQ(got.status().code(), absl::StatusCode::kDeadlineExceeded) << got.status();
  EXPECT_THAT(Text(got), HasSubstr("deadlock: process (0, 0) waits at "));
  EXPECT_THAT(Text(got), HasSubstr("process (3, 0) waits at "));
}

TEST_F(GridNcclTest, AFailedCallEndsTheRunOnAllRanksAndNotTheNext) {
  const auto programs = Compiled(Everything(), 4);
  const Grids arguments = ArgumentsOfEverything();
  const std::string want = Text(RunGridOn("reference", Everything(), arguments));
  Job job(4);
  for (const char* name : {"ncclAllGather", "ncclSend", "ncclCommGetAsyncError", "ncclGroupEnd"}) {
    nccl_->fail_function = name;
    nccl_->fail_skip = nccl_->fail_code = 3;
    for (const absl::StatusOr<Grids>& result : job.Run(Pointers(programs), arguments)) {
      EXPECT_THAT(Text(result), HasSubstr(absl::StrCat("NCCL: ", name)));
      EXPECT_THAT(Text(result), HasSubstr("process ("));
      EXPECT_THAT(Text(result), HasSubstr("p.hlo:"));
    }
    EXPECT_EQ(Text(Run(job, programs, arguments)), want) << name;
  }
}

// The devices wait for each other for ever, until NCCL notices that one has failed.
TEST_F(GridNcclTest, AnErrorThatComesLaterEndsTheRun) {
  const auto programs = Compiled(Everything(), 4);
  Job job(4);
  nccl_->hangs = true;
  std::thread failing([&] {
    usleep(300000);
    nccl_->async_error = 6;
  });
  const auto results = job.Run(Pointers(programs), ArgumentsOfEverything());
  failing.join();
  for (const absl::StatusOr<Grids>& result : results)
    EXPECT_THAT(Text(result), HasSubstr("another device has failed (6)"));
}

// The devices wait for that of a rank that is gone.
TEST_F(GridNcclTest, ALostRankEndsTheOthersWhileTheirDevicesWait) {
  const auto programs = Compiled(Everything(), 4);
  const Grids arguments = ArgumentsOfEverything();
  nccl_->hangs = true;
  std::vector<std::vector<int>> sockets = SocketPairs(4);
  std::vector<std::string> messages(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      GridRanks ranks(static_cast<int>(i), sockets[i], 60);
      messages[i] = Text(programs[i]->RunGridLiterals(arguments, {{}, &ranks}));
    });
  }
  usleep(500000);
  for (const int socket : sockets[2]) {
    if (socket >= 0) (void)shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& thread : threads) thread.join();
  // Connections end one after the other. So rank 2 may still tell one rank that it has lost
  // another.
  for (const size_t i : {0, 1, 3})
    EXPECT_THAT(messages[i], HasSubstr("is lost: its connection has ended"));
}

}  // namespace
}  // namespace halyard::testing
