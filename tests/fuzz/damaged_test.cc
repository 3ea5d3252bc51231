// Damaged programs: an error with a place or a module; never a crash, never a hang. 500 of each
// kind, 10,000 with HALYARD_NIGHTLY=1; HALYARD_FUZZ_SEED=N runs that one alone.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/check.h"
#include "tests/fuzz/mutator.h"

namespace halyard {
namespace {

using Clock = std::chrono::steady_clock;
// Of one program; they take milliseconds. Sanitizers and a busy machine are allowed for.
constexpr int64_t kMaxSeconds = 60;

std::vector<std::string> Sources(const std::vector<std::string>& folders,
                                 const std::string& extension) {
  std::vector<std::string> paths, sources;
  for (const std::string& folder : folders) {
    const std::string path = absl::StrCat(HALYARD_SOURCE_DIR, "/tests/", folder);
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == extension) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (extension == ".mlir" && absl::StrContains(bytes, "// -----")) {
      for (std::string& program : check::SplitPrograms(bytes)) sources.push_back(program);
    } else {
      sources.push_back(std::move(bytes));
    }
  }
  return sources;
}

// Ends the process when a program takes too long, and says which one it was.
class Watchdog {
 public:
  explicit Watchdog(const char* what) : what_(what), thread_([this] { Watch(); }) {}
  ~Watchdog() {
    done_ = true;
    thread_.join();
  }
  void Begin(uint64_t seed) {
    seed_ = seed;
    start_ = Now();
  }

 private:
  static int64_t Now() {
    return std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch())
        .count();
  }
  void Watch() {
    while (!done_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (Now() - start_ <= kMaxSeconds) continue;
      fprintf(stderr, "%s: HALYARD_FUZZ_SEED=%llu takes more than %lld s\n", what_,
              static_cast<unsigned long long>(seed_), static_cast<long long>(kMaxSeconds));
      std::abort();
    }
  }

  const char* const what_;
  std::atomic<uint64_t> seed_{0};
  std::atomic<int64_t> start_{Now()};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

// How many of `count` programs are still right.
void ReadDamaged(const char* what, std::vector<std::string> sources, bool text) {
  ASSERT_FALSE(sources.empty());
  for (const std::string& source : sources) {
    auto program = check::Program::Read(source, "p");
    ASSERT_TRUE(program.ok()) << program.status();
  }
  uint64_t first = 0, end = std::getenv("HALYARD_NIGHTLY") != nullptr ? 10000 : 500;
  if (const char* seed = std::getenv("HALYARD_FUZZ_SEED")) {
    first = std::strtoull(seed, nullptr, 10);
    end = first + 1;
  }
  Mutator mutator(std::move(sources), text);
  Watchdog watchdog(what);
  int64_t right = 0, read = 0;
  for (uint64_t seed = first; seed < end; ++seed) {
    SCOPED_TRACE(absl::StrCat("HALYARD_FUZZ_SEED=", seed));
    const std::string bytes = mutator.Damaged(seed);
    watchdog.Begin(seed);
    auto program = check::Program::Read(bytes, "p");
    absl::Status status = program.status();
    if (program.ok()) status = (*program)->Verify();
    read += program.ok();
    right += status.ok();
    if (status.ok()) continue;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "error: ")) << status;
  }
  printf("%s: %lld of %lld could be read, %lld are right\n", what, static_cast<long long>(read),
         static_cast<long long>(end - first), static_cast<long long>(right));
  // Damage that is found at the first word would try nothing.
  if (end - first >= 500) {
    EXPECT_GT(read, static_cast<int64_t>(end - first) / 50);
  }
}

TEST(Damaged, Bytecode) {
  ReadDamaged("bytecode", Sources({"fixtures", "frontend/stablehlo/testdata/bytecode"}, ".mlirbc"),
              false);
}

TEST(Damaged, Text) { ReadDamaged("text", Sources({"fixtures", "check"}, ".mlir"), true); }

}  // namespace
}  // namespace halyard
