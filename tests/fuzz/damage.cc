#include "tests/fuzz/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/fuzz/mutator.h"

namespace halyard {

namespace {

// Limit for one input. Inputs take milliseconds, but sanitizers and a busy machine need more.
constexpr int64_t kMaxSeconds = 60;

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::vector<std::string> Sources(const std::vector<std::string>& folders,
                                 const std::string& ending) {
  std::vector<std::string> paths, sources;
  for (const std::string& folder : folders) {
    const std::string path = absl::StrCat(HALYARD_SOURCE_DIR, "/tests/", folder);
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (absl::EndsWith(entry.path().string(), ending)) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    sources.push_back(std::move(bytes));
  }
  return sources;
}

Seeds Seeds::Wanted() {
  Seeds seeds;
  if (std::getenv("HALYARD_NIGHTLY") != nullptr) seeds.end = 10000;
  if (const char* count = std::getenv("HALYARD_FUZZ_COUNT"))
    seeds.end = std::strtoull(count, nullptr, 10);
  if (const char* seed = std::getenv("HALYARD_FUZZ_SEED")) {
    seeds.first = std::strtoull(seed, nullptr, 10);
    seeds.end = seeds.first + 1;
  }
  return seeds;
}

Watchdog::Watchdog(const char* what) : what_(what), start_(Now()), thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  done_ = true;
  thread_.join();
}

void Watchdog::Begin(uint64_t seed) {
  seed_ = seed;
  start_ = Now();
}

void Watchdog::Watch() {
  while (!done_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (Now() - start_ <= kMaxSeconds) continue;
    fprintf(stderr, "%s: HALYARD_FUZZ_SEED=%llu takes more than %lld s\n", what_,
            static_cast<unsigned long long>(seed_), static_cast<long long>(kMaxSeconds));
    std::abort();
  }
}

void ReadDamaged(const Form& form) {
  ASSERT_FALSE(form.sources.empty());
  for (const std::string& source : form.sources) {
    const absl::Status status = form.read(source);
    ASSERT_TRUE(status.ok()) << status << "\n" << source.substr(0, 200);
  }
  Mutator mutator(form.sources, form.text);
  Watchdog watchdog(form.name);
  const Seeds seeds = Seeds::Wanted();
  int64_t right = 0;
  for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    SCOPED_TRACE(absl::StrCat("HALYARD_FUZZ_SEED=", seed));
    std::string bytes = mutator.Damaged(seed);
    if (form.mend && seed % 2 == 0) form.mend(&bytes);
    watchdog.Begin(seed);
    const absl::Status status = form.read(bytes);
    right += status.ok();
    if (status.ok()) continue;
    EXPECT_FALSE(status.message().empty());
    if (form.places) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_TRUE(absl::StrContains(status.message(), "error: ")) << status;
    }
  }
  printf("%s: %lld of %lld are still right\n", form.name, static_cast<long long>(right),
         static_cast<long long>(seeds.count()));
  // If all damage were found at the first word, the test would try nothing.
  if (seeds.count() >= 500) {
    EXPECT_GT(right, 0);
    EXPECT_LT(right, static_cast<int64_t>(seeds.count()));
  }
}

}  // namespace halyard
