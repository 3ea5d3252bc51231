// Reads files of every kind within limits. Tests closed standard streams, limits, and these
// in messages.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "frontend/files/address_space.h"
#include "frontend/files/own_folders.h"
#include "frontend/files/read_file.h"
#include "frontend/files/sha256.h"
#include "frontend/files/standard_streams.h"
#include "frontend/files/system_error.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr ReadLimits kSmall = {1000, 100};
constexpr ReadLimits kOnlyFiles = {1000, 0};

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string pattern = ::testing::TempDir() + "files_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string Pipe() {
    const std::string path = folder_ + "/pipe";
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  std::string folder_;
};

TEST_F(Files, AreReadWhole) {
  for (const ReadLimits& limits : {kSmall, kOnlyFiles}) {
    for (const size_t size : {0u, 1u, 999u, 1000u}) {
      std::string bytes(size, 'x');
      if (size > 0) bytes[size / 2] = '\0';
      const auto read = ReadWholeFile(Write("a", bytes), limits);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*read, bytes);
    }
  }
  // The system reports a size of 0 for this file.
  const auto limits = ReadWholeFile("/proc/self/limits", {10000, 0});
  ASSERT_TRUE(limits.ok()) << limits.status();
  EXPECT_THAT(*limits, HasSubstr("Max open files"));
}

TEST_F(Files, ThatAreTooLarge) {
  const std::string path = Write("large", std::string(1001, 'x'));
  EXPECT_EQ(ReadWholeFile(path, kSmall).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(ReadWholeFile(path, kSmall).status().message(),
              AllOf(HasSubstr(path), HasSubstr("more than 1000 bytes")));
  // Memory must not be allocated by the size that a file claims.
  const std::string sparse = Write("sparse", "");
  ASSERT_EQ(truncate(sparse.c_str(), int64_t{1} << 42), 0);
  EXPECT_EQ(ReadWholeFile(sparse, {int64_t{1} << 50, 0}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(Files, WithoutAnEnd) {
  const absl::Status zeros = ReadWholeFile("/dev/zero", kSmall).status();
  EXPECT_EQ(zeros.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(zeros.message(), HasSubstr("/dev/zero: it gives more than 100 bytes"));
  EXPECT_THAT(ReadWholeFile("/dev/zero", kOnlyFiles).status().message(),
              HasSubstr("/dev/zero: not a regular file"));
}

TEST_F(Files, Pipes) {
  const std::string path = Pipe();
  // Nobody has the other end open, so this must not block.
  EXPECT_THAT(ReadWholeFile(path, kOnlyFiles).status().message(),
              HasSubstr(path + ": not a regular file"));
  for (const size_t size : {0u, 100u, 101u}) {
    std::thread writer([&] { std::ofstream(path) << std::string(size, 'x'); });
    const auto read = ReadWholeFile(path, kSmall);
    writer.join();
    EXPECT_EQ(read.ok(), size <= 100) << read.status();
    if (read.ok()) {
      EXPECT_EQ(read->size(), size);
    }
  }
}

TEST_F(Files, ThatAreNone) {
  EXPECT_EQ(ReadWholeFile("/no/such", kSmall).status().code(), absl::StatusCode::kNotFound);
  for (const ReadLimits& limits : {kSmall, kOnlyFiles}) {
    EXPECT_EQ(ReadWholeFile(folder_, limits).status().message(), folder_ + ": Is a directory");
  }
}

// Runs `run` in a child process and returns its exit status.
int InChild(const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) _exit(run());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The bits of `open_streams` state which of the descriptors 0 to 2 are open.
TEST(StandardStreams, AreNeverSomethingElse) {
  for (int open_streams = 0; open_streams < 8; ++open_streams) {
    const int status = InChild([open_streams] {
      for (int fd = 0; fd < 3; ++fd) {
        if ((open_streams >> fd & 1) == 0) close(fd);
      }
      OpenStandardStreams();
      const int next = open("/dev/null", O_RDONLY);
      if (next < 3) return 1;
      char byte = 0;
      const bool closed_in = (open_streams & 1) == 0, closed_out = (open_streams & 2) == 0;
      if (closed_in && !(read(0, &byte, 1) < 0 && errno == EBADF)) return 2;
      if (closed_out && !(write(1, &byte, 1) < 0 && errno == EBADF)) return 3;
      if ((open_streams & 4) == 0 && write(2, &byte, 1) != 1) return 4;
      return 0;
    });
    EXPECT_EQ(status, 0) << open_streams;
  }
}

TEST(Limits, AreNamed) {
  struct Case {
    int error;
    __rlimit_resource resource;
    rlim_t limit;
    const char* text;
  };
  const Case cases[] = {{EMFILE, RLIMIT_NOFILE, 17, "Too many open files (ulimit -n is 17)"},
                        {EFBIG, RLIMIT_FSIZE, 3072, "File too large (ulimit -f is 3 KiB)"},
                        {ENOMEM, RLIMIT_AS, rlim_t{1} << 40, "(ulimit -v is 1073741824 KiB)"}};
  for (const Case& c : cases) {
    const int status = InChild([&c] {
      const rlimit limit = {c.limit, c.limit};
      if (setrlimit(c.resource, &limit) != 0) return 1;
      const std::string text = SystemErrorText(c.error), low = LowLimitsNote();
      return text.find(c.text) != std::string::npos && low.find("ulimit") != std::string::npos ? 0
                                                                                               : 2;
    });
    EXPECT_EQ(status, 0) << c.text;
  }
  EXPECT_EQ(SystemErrorText(ENOENT), "No such file or directory");
}

TEST(Limits, OfAddressSpaceAreBeyondWhatIsMapped) {
  const auto maps = [](size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  constexpr size_t kMiB = size_t{1} << 20;
  const int status = InChild([&maps] {
    if (!maps(1024 * kMiB)) return 1;
    LimitAddressSpace(64 * kMiB);
    if (maps(65 * kMiB)) return 2;
    return maps(32 * kMiB) ? 0 : 3;
  });
  EXPECT_EQ(status, 0);
}

TEST(OwnFolders, HoldsThisTest) {
  const std::vector<std::string> folders = OwnFolders();
  ASSERT_EQ(folders.size(), 2u);
  for (const std::string& folder : folders)
    EXPECT_EQ(access((folder + "/frontend_files_test").c_str(), X_OK), 0) << folder;
}

// FIPS 180-4's examples, and sizes around those of a block, beside what sha256sum says.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const std::string path = ::testing::TempDir() + "/sha256_test_" + std::to_string(getpid());
  for (const size_t size : {1, 55, 56, 63, 64, 65, 119, 120, 3000000}) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i * 7 + i / 251));
    std::ofstream(path, std::ios::binary) << bytes;
    const absl::StatusOr<FileDigest> digest = DigestOfFile(path);
    ASSERT_TRUE(digest.ok()) << digest.status();
    EXPECT_EQ(digest->bytes, static_cast<int64_t>(size));
    EXPECT_EQ(digest->sha256, Sha256Of(bytes));
    std::ofstream(path + ".sum") << digest->sha256 << "  " << path << "\n";
    EXPECT_EQ(system(("sha256sum --status --check " + path + ".sum").c_str()), 0) << size;
  }
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".sum");
  EXPECT_THAT(std::string(DigestOfFile("/nonexistent/file").status().message()),
              HasSubstr("/nonexistent/file: "));
}

}  // namespace
}  // namespace halyard
