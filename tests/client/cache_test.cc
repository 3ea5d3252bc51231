// The cache: warm starts without the compiler's libraries, detected damage, and refusal of folders
// that belong to other users.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "client/api/client.h"

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

TEST_F(Cache, ChangedProgramIsAnotherEntry) {
  Run();
  std::ofstream(program_) << "HloModule m\nENTRY e { a = f32[64] parameter(0) b = f32[64] "
                             "multiply(a, a) c = f32[64] tanh(b) ROOT r = f32[64] add(c, c) }\n";
  auto client = MakeClient();
  auto executable = (*client)->CompileFile(program_);
  ASSERT_TRUE(executable.ok()) << executable.status();
  EXPECT_FALSE((*executable)->stats().program_from_cache);
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
