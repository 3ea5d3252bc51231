// The cache: warm starts without the compiler's libraries, detected damage, and refusal of folders
// that belong to other users.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "client/api/client.h"
#include "client/cache/store.h"

namespace halyard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/halyard-cache-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    program_ = folder_ + ".hlo";
    std::ofstream(program_) << "HloModule m\nENTRY e { a = f32[64] parameter(0) b = f32[64] "
                               "multiply(a, a) ROOT r = f32[64] tanh(b) }\n";
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::remove(program_);
  }
  absl::StatusOr<std::unique_ptr<Client>> MakeClient() {
    ClientOptions options;
    options.target = "x86";
    options.cache_dir = folder_;
    return Client::Create(options);
  }
  // Compiles and runs. Returns where the program and its kernels came from.
  CompileStats Run() {
    auto client = MakeClient();
    EXPECT_TRUE(client.ok()) << client.status();
    auto executable = (*client)->CompileFile(program_);
    EXPECT_TRUE(executable.ok()) << executable.status();
    if (!executable.ok()) return {};
    hlo::Literal input(hlo::Shape::Array(hlo::ElementType::kF32, {64}));
    input.SetFloat(3, 0.5);
    auto results = (*executable)->RunLiterals({input});
    EXPECT_TRUE(results.ok()) << results.status();
    if (results.ok()) {
      EXPECT_NEAR((*results)[0].GetFloat(3), 0.24491866, 1e-6);
      EXPECT_EQ((*results)[0].GetFloat(4), 0.0);
    }
    return (*executable)->stats();
  }
  std::vector<std::filesystem::path> Entries(const std::string& extension) {
    std::vector<std::filesystem::path> entries;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().extension() == extension) entries.push_back(entry.path());
    }
    return entries;
  }

  std::string folder_, program_;
};

TEST_F(Cache, WarmStartNeedsNoCompiler) {
  EXPECT_FALSE(Run().program_from_cache);
  EXPECT_TRUE(Run().program_from_cache);
  std::ifstream maps("/proc/self/maps");
  const std::string text((std::istreambuf_iterator<char>(maps)), std::istreambuf_iterator<char>());
  for (const char* library : {"libHalide", "libLLVM", "libMLIR"})
    EXPECT_THAT(text, Not(HasSubstr(library)));
}

TEST_F(Cache, KernelsOutliveTheProgram) {
  Run();
  for (const auto& path : Entries(".program")) std::filesystem::remove(path);
  const CompileStats stats = Run();
  EXPECT_FALSE(stats.program_from_cache);
  EXPECT_EQ(stats.kernels, 1);
  EXPECT_EQ(stats.kernels_from_cache, 1);
}

TEST_F(Cache, DamagedEntriesAreMadeAgain) {
  Run();
  for (const char* extension : {".program", ".kernel"}) {
    const auto entries = Entries(extension);
    ASSERT_EQ(entries.size(), 1u);
    std::fstream file(entries[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(entries[0]) / 2));
    file.put('\x5a').put('\xa5').put('\x5a');
  }
  const CompileStats stats = Run();
  EXPECT_FALSE(stats.program_from_cache);
  EXPECT_EQ(stats.kernels_from_cache, 0);
  EXPECT_TRUE(Run().program_from_cache);
}

TEST_F(Cache, FolderThatOthersCanReadIsRefused) {
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  auto client = MakeClient();
  ASSERT_TRUE(client.ok());
  const auto executable = (*client)->CompileFile(program_);
  ASSERT_FALSE(executable.ok());
  EXPECT_THAT(std::string(executable.status().message()), HasSubstr("mode 755"));
}

// A folder whose name ends with a slash is its own parent, which is made as others can read it.
TEST_F(Cache, FolderMayEndWithSlashes) {
  const std::string folder = folder_ + "/deep/new";
  for (const char* end : {"//", "/", ""}) {
    const absl::StatusOr<Store> store = Store::Open(folder + end);
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_EQ(store->folder(), folder);
  }
}

TEST_F(Cache, LinksAreNamed) {
  const std::string link = folder_ + "/link";
  std::filesystem::create_directory_symlink(folder_, link);
  for (const char* end : {"", "/"}) {
    EXPECT_THAT(Store::Open(link + end).status().message(),
                HasSubstr(link + " is a symbolic link"));
  }
}

// A program says from where in which file its kernels come.
TEST_F(Cache, TheSameBytesInAnotherFileAreAnotherEntry) {
  Run();
  const std::string copy = folder_ + "/copy.hlo";
  std::filesystem::copy_file(program_, copy);
  const std::string first = std::exchange(program_, copy);
  const CompileStats stats = Run();
  EXPECT_FALSE(stats.program_from_cache);
  EXPECT_EQ(stats.kernels_from_cache, 1);
  EXPECT_TRUE(Run().program_from_cache);
  program_ = first;
  EXPECT_TRUE(Run().program_from_cache);
}

TEST_F(Cache, ChangedProgramIsAnotherEntry) {
  Run();
  std::ofstream(program_) << "HloModule m\nENTRY e { a = f32[64] parameter(0) b = f32[64] "
                             "multiply(a, a) c = f32[64] tanh(b) ROOT r = f32[64] add(c, c) }\n";
  auto client = MakeClient();
  auto executable = (*client)->CompileFile(program_);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_FALSE((*executable)->stats().program_from_cache);
}

// Makes a file look as if it had been written that many hours ago.
void Age(const std::string& path, int64_t hours) {
  const timespec then = {time(nullptr) - 3600 * hours, 0};
  const timespec times[2] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(Cache, KeepsWhatIsUsedWithinItsLimit) {
  ASSERT_EQ(setenv("HALYARD_CACHE_LIMIT", "256K", 1), 0);
  const absl::StatusOr<Store> store = Store::Open(folder_);
  ASSERT_TRUE(store.ok()) << store.status();
  const std::string value(16000, 'v');
  const auto key = [](int i) { return "key " + std::to_string(i); };
  std::ofstream(folder_ + "/tmp.killed") << "half";
  Age(folder_ + "/tmp.killed", 25);
  std::ofstream(folder_ + "/tmp.busy") << "half";
  for (int i = 0; i < 12; ++i) store->Write("kernel", key(i), value);
  for (const auto& path : Entries(".kernel")) Age(path, 48);
  EXPECT_TRUE(store->Read("kernel", key(3)).has_value());  // which makes it young
  for (int i = 12; i < 40; ++i) store->Write("program", key(i), value);

  uint64_t total = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    total += std::filesystem::file_size(entry);
  EXPECT_LE(total, 256u << 10);
  EXPECT_GE(total, 128u << 10);
  EXPECT_FALSE(store->Read("kernel", key(2)).has_value());
  EXPECT_TRUE(store->Read("kernel", key(3)).has_value());
  EXPECT_TRUE(store->Read("program", key(39)).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/tmp.killed"));
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/tmp.busy"));
  // What alone exceeds the limit does not push everything else out.
  store->Write("program", "large", std::string(300 << 10, 'v'));
  EXPECT_FALSE(store->Read("program", "large").has_value());
  EXPECT_TRUE(store->Read("program", key(39)).has_value());
  unsetenv("HALYARD_CACHE_LIMIT");
}

TEST_F(Cache, ALimitIsANumberOfBytes) {
  for (const char* wrong :
       {"much", "5T", "-1", "1.5G", "G", "99999999999999999999", "20000000000G"}) {
    ASSERT_EQ(setenv("HALYARD_CACHE_LIMIT", wrong, 1), 0);
    const absl::Status status = Store::Open(folder_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_THAT(std::string(status.message()), HasSubstr(wrong));
  }
  for (const char* right : {"", "0", "1000", "64K", "2M", "17G"}) {
    ASSERT_EQ(setenv("HALYARD_CACHE_LIMIT", right, 1), 0);
    EXPECT_TRUE(Store::Open(folder_).ok()) << right;
  }
  unsetenv("HALYARD_CACHE_LIMIT");
}

TEST(CompileOptions, WhatChangesTheProgramChangesItsKey) {
  std::set<std::string> texts = {CompileOptions().KeyText()};
  const auto add = [&texts](auto change) {
    CompileOptions options;
    change(options);
    EXPECT_TRUE(texts.insert(options.KeyText()).second) << options.KeyText();
  };
  add([](CompileOptions& o) { o.fuse = false; });
  add([](CompileOptions& o) { o.attention = false; });
  add([](CompileOptions& o) { o.quick = true; });
  add([](CompileOptions& o) { o.whole_scatter_windows = true; });
  add([](CompileOptions& o) { o.schedules = "k: plain"; });
  add([](CompileOptions& o) { o.choices = "k: plain"; });
  add([](CompileOptions& o) { o.without = "sink"; });
  // The text of one option must not be mistaken for another option.
  add([](CompileOptions& o) { o.without = "\nschedules 8 k: plain"; });
  add([](CompileOptions& o) {
    o.argument_shapes = {hlo::Shape::Array(hlo::ElementType::kF32, {4})};
  });
  CompileOptions same;
  same.dump_dir = same.file = "name";
  same.progress = [](int, int) {};
  EXPECT_EQ(same.KeyText(), CompileOptions().KeyText());
}

}  // namespace
}  // namespace halyard
