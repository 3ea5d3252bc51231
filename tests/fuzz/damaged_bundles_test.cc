// Bundles, and programs that are linked into an application, with damage that their checksums do
// not show. Whatever the C API makes of them is an error, or a program that runs within its own
// memory until it ends or is cancelled. A sanitizer sees the rest.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/c_api/halyard_rt.h"
#include "tests/fuzz/bundle_mutator.h"
#include "tests/fuzz/bundle_programs.h"
#include "tests/fuzz/bundle_runner.h"
#include "tests/fuzz/damage.h"

extern "C" {
int hyk_scale(void** arguments);
int hyk_less(void** arguments);
int hyk_increment(void** arguments);
// Damaged programs ask for more memory than there is.
const char* __asan_default_options() { return "allocator_may_return_null=1"; }
}

namespace halyard {
namespace {

using std::chrono::milliseconds;

constexpr hy_linked_kernel kLinked[] = {
    {"hyk_scale", hyk_scale}, {"hyk_less", hyk_less}, {"hyk_increment", hyk_increment}};

class DamagedBundles : public ::testing::Test {
 protected:
  static std::string ReadAll(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void SetUp() override {
    folder_ = absl::StrCat(::testing::TempDir(), "/damaged_bundles_", getpid());
    std::filesystem::create_directories(folder_);
    setenv("HALYARD_LIBCUDA", "/nonexistent", 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  // Writes a new file, because file systems flush one that is overwritten.
  std::string Write(const char* name, const std::string& bytes) const {
    const std::string path = absl::StrCat(folder_, "/", name);
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // Machine code as in the files that `halyard compile` writes.
  std::string Code() const {
    const std::string object = absl::StrCat(folder_, "/kernels.o");
    EXPECT_EQ(system(absl::StrCat("gcc -c -O2 -fPIC -o ", object, " ", HALYARD_SOURCE_DIR,
                                  "/tests/fuzz/bundle_kernels.c")
                         .c_str()),
              0);
    return ReadAll(object);
  }

  // Tries all seeds, or one of `part`; `take` opens the bytes. Runs are cancelled after `patience`.
  // With `loops`, damage can make programs endless.
  template <typename Take>
  void TryAll(const char* what, const std::vector<std::string>& bundles, milliseconds patience,
              Take take, uint64_t part = 1, bool loops = true) {
    Counts sound, counts;
    for (const std::string& bundle : bundles) take(bundle, &sound);
    ASSERT_GE(sound.right, static_cast<int64_t>(bundles.size())) << sound.last_error;
    ASSERT_EQ(sound.refused + sound.too_large + sound.failed, 0) << sound.last_error;
    canceller_.set_patience(patience);
    const BundleMutator mutator(bundles);
    Watchdog watchdog(what);
    Seeds seeds = Seeds::Wanted();
    seeds.end = seeds.first + (seeds.count() + part - 1) / part;
    for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
      SCOPED_TRACE(absl::StrCat("HALYARD_FUZZ_SEED=", seed));
      watchdog.Begin(seed);
      take(mutator.Damaged(seed), &counts);
    }
    printf("%s: %lld refused, %lld too large, %lld failed, %lld cancelled, %lld ran to the end\n",
           what, static_cast<long long>(counts.refused), static_cast<long long>(counts.too_large),
           static_cast<long long>(counts.failed), static_cast<long long>(counts.cancelled),
           static_cast<long long>(counts.right));
    // If all were refused, no damage would be tried, and neither if it were harmless.
    if (seeds.count() < 500) return;
    EXPECT_GT(counts.right, 0);
    EXPECT_GT(counts.refused, 0);
    if (seeds.count() >= 5000 && loops) {
      EXPECT_GT(counts.cancelled, 0);
    }
  }

  std::string folder_;
  Canceller canceller_;
  Runner runner_{&canceller_};
};

// A custom call that reads all of its operands and writes all of its results, as they are
// described.
hy_status CopyAll(const hy_call* call) {
  uint64_t sum = 0;
  for (int i = 0; i < call->num_operands; ++i) {
    for (uint64_t k = 0; k < call->operands[i].bytes; ++k)
      sum += static_cast<const uint8_t*>(call->in[i])[k];
    for (int d = 0; d < call->operands[i].rank; ++d)
      sum += static_cast<uint64_t>(call->operands[i].dims[d]);
  }
  for (uint64_t k = 0; k < call->config_bytes; ++k) sum += static_cast<uint8_t>(call->config[k]);
  for (int i = 0; i < call->num_results; ++i) {
    const uint64_t bytes = call->results[i].bytes;
    if (i < call->num_operands && call->operands[i].bytes == bytes) {
      if (bytes != 0) memmove(call->out[i], call->in[i], bytes);
    } else if (bytes != 0) {
      memset(call->out[i], static_cast<int>(sum), bytes);
    }
  }
  return nullptr;
}

hy_choose_options Options(const char* targets = nullptr) {
  static constexpr hy_named_call kCalls[] = {{"copy_all", CopyAll, nullptr}};
  hy_choose_options options = {};
  options.calls = kCalls;
  options.num_calls = std::size(kCalls);
  options.targets = targets;
  options.struct_size = sizeof(options);
  options.threads = 1;
  return options;
}

// As the linker places it: at a multiple of 256. A sanitizer sees what is read behind it.
Array Linked(const std::string& bytes) {
  void* memory = nullptr;
  EXPECT_EQ(posix_memalign(&memory, 256, bytes.empty() ? 1 : bytes.size()), 0);
  memcpy(memory, bytes.data(), bytes.size());
  return {memory, &free};
}

TEST_F(DamagedBundles, Files) {
  TryAll("bundle files", DamageableBundles(Code()), milliseconds(20),
         [&](const std::string& bytes, Counts* counts) {
           const std::string path = Write("damaged.hybundle", bytes);
           const hy_choose_options options = Options();
           hy_program* program = nullptr;
           const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
           runner_.Take(status, program, counts);
         });
}

// Several entries, and sizes that runs choose.
TEST_F(DamagedBundles, Catalogues) {
  TryAll(
      "catalogues", DamageableCatalogues(Code()), milliseconds(20),
      [&](const std::string& bytes, Counts* counts) {
        const std::string path = Write("damaged.hybundle", bytes);
        for (const char* target : {"x86:v1", "x86:v2"}) {
          const hy_choose_options options = Options(target);
          hy_program* program = nullptr;
          const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
          if (status != nullptr &&
              strstr(hy_status_message(status), "is compiled for") != nullptr) {
            hy_status_free(status);
            continue;  // one bundle has no x86:v2
          }
          runner_.Take(status, program, counts);
        }
      },
      1, /*loops=*/false);
}

TEST_F(DamagedBundles, LinkedCatalogues) {
  TryAll(
      "linked catalogues", DamageableCatalogues(""), milliseconds(20),
      [&](const std::string& bytes, Counts* counts) {
        const Array memory = Linked(bytes);
        const hy_linked_program linked = {memory.get(), bytes.size(), kLinked, std::size(kLinked),
                                          nullptr};
        const hy_choose_options options = Options();
        hy_program* program = nullptr;
        const hy_status status = hy_program_choose_linked(&linked, &options, &program);
        runner_.Take(status, program, counts);
      },
      1, /*loops=*/false);
}

TEST_F(DamagedBundles, Linked) {
  TryAll("linked programs", DamageableBundles(""), milliseconds(20),
         [&](const std::string& bytes, Counts* counts) {
           const Array memory = Linked(bytes);
           const hy_linked_program linked = {memory.get(), bytes.size(), kLinked,
                                             std::size(kLinked), nullptr};
           const hy_choose_options options = Options();
           hy_program* program = nullptr;
           const hy_status status = hy_program_choose_linked(&linked, &options, &program);
           runner_.Take(status, program, counts);
         });
}

// The constants are in a file, which suits the table that is there.
TEST_F(DamagedBundles, LinkedWithWeights) {
  TryAll("programs with weights", DamageableBundles(""), milliseconds(20),
         [&](const std::string& bytes, Counts* counts) {
           std::string head, weights;
           SplitWeights(bytes, &head, &weights);
           const std::string path = Write("damaged.weights", weights);
           const Array memory = Linked(head);
           const hy_linked_program linked = {memory.get(), head.size(), kLinked, std::size(kLinked),
                                             "damaged.weights"};
           hy_choose_options options = Options();
           options.weights = path.c_str();
           hy_program* program = nullptr;
           const hy_status status = hy_program_choose_linked(&linked, &options, &program);
           runner_.Take(status, program, counts);
         });
}

// The fake driver interprets the kernels, and sees what they touch. That takes time.
class DamagedBundlesOnCuda : public DamagedBundles {
 protected:
  void Try(const char* what, const std::vector<std::string>& bundles, bool loops) {
#ifndef HALYARD_FAKE_LIBCUDA
    GTEST_SKIP() << "this build has no fake CUDA driver";
#else
    setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    hy_device* device = nullptr;  // one that stays open spares the others time
    const hy_status opened = hy_device_open("cuda", 0, 1, &device);
    ASSERT_EQ(opened, nullptr) << hy_status_message(opened);
    TryAll(
        what, bundles, milliseconds(100),
        [&](const std::string& bytes, Counts* counts) {
          const std::string path = Write("damaged.hybundle", bytes);
          const hy_choose_options options = Options("cuda");
          hy_program* program = nullptr;
          const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
          runner_.Take(status, program, counts);
        },
        10, loops);
    hy_device_close(device);
#endif
  }
};

TEST_F(DamagedBundlesOnCuda, Files) {
  Try("bundle files on CUDA", DamageableBundles(Code()), true);
}

TEST_F(DamagedBundlesOnCuda, Catalogues) {
  Try("catalogues on CUDA", {DamageableCatalogues(Code())[0]}, false);
}

}  // namespace
}  // namespace halyard
