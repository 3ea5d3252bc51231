// Runs programs whose reductions are one launch each, in which the last workgroup joins what the
// others have found: again and again, in loops, and several at once. The fake driver's interpreter
// runs the kernels.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "tests/client/clients.h"
#include "tests/fakes/fake_libcuda.h"

namespace halyard {
namespace {

constexpr int64_t kRows = 512, kColumns = 2112, kLine = 40000;

// The first kernel has 66 counters, the second one. Whole numbers wrap, so results are exact.
constexpr char kProgram[] = R"(HloModule m
add { x = s32[] parameter(0) y = s32[] parameter(1) ROOT s = s32[] add(x, y) }
body {
  p = (s32[], s32[2112], s32[512,2112]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  v = s32[2112] get-tuple-element(p), index=1
  a = s32[512,2112] get-tuple-element(p), index=2
  b = s32[512,2112] broadcast(v), dimensions={1}
  q = s32[512,2112] multiply(a, b)
  z = s32[] constant(0)
  w = s32[2112] reduce(q, z), dimensions={0}, to_apply=add
  o = s32[] constant(1)
  j = s32[] add(i, o)
  ROOT t = (s32[], s32[2112], s32[512,2112]) tuple(j, w, a)
}
more {
  p = (s32[], s32[2112], s32[512,2112]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY e {
  a = s32[512,2112] parameter(0)
  l = s32[40000] parameter(1)
  z = s32[] constant(0)
  columns = s32[2112] reduce(a, z), dimensions={0}, to_apply=add
  all = s32[] reduce(l, z), dimensions={0}, to_apply=add
  s = s32[2112] broadcast(all), dimensions={}
  v = s32[2112] multiply(columns, s)
  t = (s32[], s32[2112], s32[512,2112]) tuple(z, v, a)
  u = (s32[], s32[2112], s32[512,2112]) while(t), condition=more, body=body
  r = s32[2112] get-tuple-element(u), index=1
  ROOT o = (s32[2112], s32[], s32[2112]) tuple(columns, all, r)
})";

hlo::Literal Line(const hlo::Shape& shape, uint32_t seed) {
  hlo::Literal literal(shape);
  const absl::Span<std::byte> bytes = literal.mutable_bytes();
  for (size_t i = 0; i < bytes.size() / 4; ++i) {
    const uint32_t value = (static_cast<uint32_t>(i) + seed) * 2654435761u >> 7;
    std::memcpy(&bytes[i * 4], &value, sizeof(value));
  }
  return literal;
}

std::vector<uint32_t> Words(const hlo::Literal& literal) {
  std::vector<uint32_t> words(literal.bytes().size() / 4);
  std::memcpy(words.data(), literal.bytes().data(), words.size() * 4);
  return words;
}

// Runs the program on values that `seed` chooses. Returns what is wrong.
std::string RunOnce(Executable& executable, const hlo::Module& module, uint32_t seed) {
  const auto& parameters = module.entry()->parameters();
  const std::vector<hlo::Literal> inputs = {Line(parameters[0]->shape, seed),
                                            Line(parameters[1]->shape, seed + 1)};
  const auto results = executable.RunLiterals(inputs);
  if (!results.ok()) return std::string(results.status().message());
  const std::vector<uint32_t> a = Words(inputs[0]), l = Words(inputs[1]);
  std::vector<uint32_t> columns(kColumns), looped(kColumns);
  uint32_t all = 0;
  for (uint32_t value : l) all += value;
  for (int64_t i = 0; i < kRows * kColumns; ++i) columns[i % kColumns] += a[i];
  for (int64_t c = 0; c < kColumns; ++c)
    looped[c] = columns[c] * columns[c] * columns[c] * columns[c] * all;
  if (Words((*results)[0]) != columns) return "wrong sums of columns";
  if (Words((*results)[1])[0] != all) return "a wrong sum";
  return Words((*results)[2]) == looped ? "" : "wrong sums in the loop";
}

class LastGroupRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("HALYARD_LIBCUDA");
    ASSERT_NE(path, nullptr);
    void* driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(driver, nullptr) << dlerror();
    fake_ = reinterpret_cast<testing::FakeCuda* (*)()>(dlsym(driver, "HalyardFakeCuda"))();
    Client* client = testing::ClientFor("cuda");
    ASSERT_NE(client, nullptr);
    auto module = ParseProgram(kProgram, "p");
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto executable = client->Compile(*module_, {});
    ASSERT_TRUE(executable.ok()) << executable.status();
    executable_ = *std::move(executable);
    fake_->launches.clear();
  }
  void TearDown() override {
    EXPECT_THAT(fake_->violations, ::testing::IsEmpty());
    int joined = 0;
    for (const testing::FakeLaunch& launch : fake_->launches) {
      joined += absl::StrContains(launch.entry, "_group_s0");
      // The launch that would join the sums of columns.
      EXPECT_FALSE(absl::StrContains(launch.entry, "_out_s0_axis0")) << launch.entry;
    }
    EXPECT_EQ(joined, 5 * runs_);
  }

  testing::FakeCuda* fake_ = nullptr;
  int runs_ = 0;  // each has five reductions
  std::unique_ptr<hlo::Module> module_;
  std::unique_ptr<Executable> executable_;
};

TEST_F(LastGroupRuns, AgainAndAgain) {
  for (uint32_t run = 0; run < 3; ++run, ++runs_) {
    fake_->block_order = run * 5;
    EXPECT_EQ(RunOnce(*executable_, *module_, run), "") << run;
  }
}

TEST_F(LastGroupRuns, SeveralAtOnce) {
  std::vector<std::string> wrong(3);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t run = 0; run < 2; ++run)
        wrong[t] += RunOnce(*executable_, *module_, 10 * t + run);
    });
  }
  for (std::thread& thread : threads) thread.join();
  runs_ = 6;
  EXPECT_THAT(wrong, ::testing::Each(""));
}

}  // namespace
}  // namespace halyard
