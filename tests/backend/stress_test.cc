// 8 threads run 3 executables on x86 and Vulkan at the same time. Results must stay right, and
// neither the process nor the devices' memory may grow. Makes 20 runs of each, or 1,000 with
// $HALYARD_NIGHTLY.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "gtest/gtest.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;

constexpr int kThreads = 8;

constexpr const char* kPrograms[] = {
    // A product, and a softmax of it.
    R"(HloModule product
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[24,40] parameter(0)
  y = f32[40,32] parameter(1)
  p = f32[24,32] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  low = f32[] constant(-inf)
  m = f32[24] reduce(p, low), dimensions={1}, to_apply=max
  mb = f32[24,32] broadcast(m), dimensions={0}
  d = f32[24,32] subtract(p, mb)
  ex = f32[24,32] exponential(d)
  zero = f32[] constant(0)
  s = f32[24] reduce(ex, zero), dimensions={1}, to_apply=sum
  sb = f32[24,32] broadcast(s), dimensions={0}
  ROOT r = f32[24,32] divide(ex, sb)
})",
    // A loop whose trip count is only known at run time.
    R"(HloModule loop
cond { s = (f32[], f32[16]) parameter(0) t = f32[] get-tuple-element(s), index=0
  n = f32[] constant(50) ROOT r = pred[] compare(t, n), direction=LT }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
body { s = (f32[], f32[16]) parameter(0) x = f32[16] get-tuple-element(s), index=1
  one = f32[] constant(0.5) ones = f32[16] broadcast(one), dimensions={} y = f32[16] add(x, ones)
  zero = f32[] constant(0) t = f32[] reduce(y, zero), dimensions={0}, to_apply=sum
  ROOT r = (f32[], f32[16]) tuple(t, y) }
ENTRY e { x = f32[16] parameter(0) zero = f32[] constant(0) t = (f32[], f32[16]) tuple(zero, x)
  w = (f32[], f32[16]) while(t), condition=cond, body=body
  ROOT r = f32[16] get-tuple-element(w), index=1 })",
    // Many small steps.
    R"(HloModule steps
less { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = s32[300] parameter(0)
  a = s32[300] reverse(x), dimensions={0}
  b = s32[300] add(a, x)
  two = s32[] constant(2)
  twos = s32[300] broadcast(two), dimensions={}
  d = s32[300] multiply(b, twos)
  c = s32[300] sort(x), dimensions={0}, to_apply=less
  e = s32[300] add(c, d)
  y = s32[20,15] reshape(e)
  z = s32[15,20] transpose(y), dimensions={1,0}
  ROOT r = s32[15,20] multiply(z, z)
})"};

Literal Values(const hlo::Shape& shape, int seed) {
  std::vector<double> values;
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    values.push_back(static_cast<double>((i * 37 + seed * 11) % 23 - 11) / 8);
  }
  if (shape.element_type() == ElementType::kS32) {
    std::vector<int64_t> integers;
    for (int64_t i = 0; i < shape.NumElements(); ++i) integers.push_back((i * 37 + seed) % 101);
    return Literal::FromValues<int64_t>(ElementType::kS32, shape.dims(), integers);
  }
  return Literal::FromValues<double>(ElementType::kF32, shape.dims(), values);
}

int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

struct Job {
  std::unique_ptr<Executable> executable;
  Client* client;
  // For each of kThreads: the arguments, and the result of the first run, which ran alone.
  std::vector<std::vector<Literal>> arguments;
  std::vector<Literal> expected;
};

class Stress : public ::testing::Test {
 protected:
  void Add(Client* client, const char* text) {
    auto module = ParseProgram(text, "p.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    auto executable = client->Compile(**module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto reference = reference_->Compile(**module);
    ASSERT_TRUE(reference.ok()) << reference.status();
    Job job;
    job.client = client;
    for (int thread = 0; thread < kThreads; ++thread) {
      std::vector<Literal> arguments;
      for (const hlo::Shape& shape : (*executable)->parameter_shapes()) {
        arguments.push_back(Values(shape, thread + static_cast<int>(arguments.size()) * 3));
      }
      auto results = (*executable)->RunLiterals(arguments);
      auto wanted = (*reference)->RunLiterals(arguments);
      ASSERT_TRUE(results.ok()) << results.status();
      ASSERT_TRUE(wanted.ok()) << wanted.status();
      ExpectNear((*results)[0], (*wanted)[0]);
      job.expected.push_back(std::move((*results)[0]));
      job.arguments.push_back(std::move(arguments));
    }
    job.executable = *std::move(executable);
    jobs_.push_back(std::move(job));
  }
  static void ExpectNear(const Literal& got, const Literal& want) {
    ASSERT_EQ(got.bytes().size(), want.bytes().size());
    if (got.shape().element_type() != ElementType::kF32) {
      EXPECT_EQ(std::memcmp(got.bytes().data(), want.bytes().data(), got.bytes().size()), 0);
      return;
    }
    const auto* a = reinterpret_cast<const float*>(got.bytes().data());
    const auto* b = reinterpret_cast<const float*>(want.bytes().data());
    for (size_t i = 0; i < got.bytes().size() / 4; ++i) EXPECT_NEAR(a[i], b[i], 1e-5f);
  }
  // Every thread runs every job in turn, and must get the same bits each time.
  void RunAll(int rounds) {
    std::atomic<int64_t> right{0};
    const auto work = [&](int thread) {
      for (int round = 0; round < rounds; ++round) {
        for (size_t j = 0; j < jobs_.size(); ++j) {
          Job& job = jobs_[(j + static_cast<size_t>(thread)) % jobs_.size()];
          const auto results = RunOnce(job, thread, round);
          if (!results.ok()) {
            ADD_FAILURE() << results.status();
            return;
          }
          const Literal& want = job.expected[static_cast<size_t>(thread)];
          right +=
              std::memcmp(results->bytes().data(), want.bytes().data(), want.bytes().size()) == 0;
        }
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, int64_t{kThreads} * rounds * static_cast<int64_t>(jobs_.size()));
  }
  static absl::StatusOr<Literal> RunOnce(Job& job, int thread, int round) {
    std::vector<Buffer> arguments;
    for (const Literal& literal : job.arguments[static_cast<size_t>(thread)]) {
      auto buffer = job.client->BufferFromLiteral(literal);
      if (!buffer.ok()) return buffer.status();
      arguments.push_back(*std::move(buffer));
    }
    RunOptions options;
    options.stream = static_cast<uint32_t>(thread);
    options.asynchronous = round % 2 == 0;
    auto results = job.executable->Run(arguments, options);
    if (!results.ok()) return results.status();
    return (*results)[0].ToLiteral();
  }

  // `given` are the bytes in blocks of all devices. `taken` also includes what backends keep of the
  // drivers' memory.
  struct Used {
    uint64_t given = 0, taken = 0;
  };
  Used DeviceBytes() const {
    Used used;
    for (const auto& client : clients_) {
      for (runtime::Space space : {runtime::Space::kDevice, runtime::Space::kHost}) {
        const runtime::MemoryUse use = client->memory_use(space);
        used.given += use.bytes;
        used.taken += use.bytes + use.own_bytes;
      }
    }
    return used;
  }

  std::unique_ptr<Client> reference_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<Job> jobs_;
};

TEST_F(Stress, EightThreadsOnTwoTargets) {
  reference_ = *Client::Create({.target = "reference"});
  for (const char* target : {"x86", "vulkan"}) {
    auto client = Client::Create({.target = target, .threads = 2});
    ASSERT_TRUE(client.ok()) << client.status();
    clients_.push_back(*std::move(client));
    for (const char* program : kPrograms) Add(clients_.back().get(), program);
  }
  const int runs = getenv("HALYARD_NIGHTLY") != nullptr ? 1000 : 20;
  // Threads that run at the same time have their own temporaries and buffers, but no more than
  // that.
  const Used alone = DeviceBytes();
  const int warm = runs / 2;
  RunAll(warm);
  const int64_t resident = ResidentBytes();
  const Used before = DeviceBytes();
  RunAll(runs - warm);
  const Used after = DeviceBytes();
  const int64_t grown = ResidentBytes() - resident;
  printf(
      "%d runs of %zu executables by %d threads: resident %.1f MB, grown by %.2f MB in the "
      "second half; devices' blocks %llu bytes after one run, %llu at half, %llu at the end\n",
      runs, jobs_.size(), kThreads, static_cast<double>(resident) / 1e6,
      static_cast<double>(grown) / 1e6, static_cast<unsigned long long>(alone.given),
      static_cast<unsigned long long>(before.given), static_cast<unsigned long long>(after.given));
  EXPECT_LE(after.given, alone.given * kThreads);
  EXPECT_LE(after.taken, before.taken + (after.given - before.given) + (1 << 20));
#ifndef __SANITIZE_ADDRESS__  // it keeps what was freed
  EXPECT_LE(grown, 8 << 20) << "more than what heaps of threads take";
#endif
  jobs_.clear();
}

}  // namespace
}  // namespace halyard
