#include "tests/fuzz/damage.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/check.h"

namespace halyard {

namespace {

// Of one input; they take milliseconds. Sanitizers and a busy machine are allowed for.
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
    if (ending == ".mlir" && absl::StrContains(bytes, "// -----")) {
      for (std::string& program : check::SplitPrograms(bytes)) sources.push_back(program);
    } else {
      sources.push_back(std::move(bytes));
    }
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

}  // namespace halyard
