// Tests the manifests that `halyard compile` writes, and that two builds in two folders are equal,
// whatever they emit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "runtime/version.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

constexpr char kProgram[] =
    "#loc = loc(\"/home/author/model.py\":3:4)\n"
    "func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
    "  %w = stablehlo.constant dense<0.5> : tensor<16x16xf32>\n"
    "  %v = stablehlo.constant dense<[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,"
    "9.0]> : tensor<16xf32>\n"
    "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
    "tensor<16x16xf32>) -> tensor<8x16xf32> loc(#loc)\n"
    "  %b = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>\n"
    "  %1 = stablehlo.add %0, %b : tensor<8x16xf32> loc(#loc)\n"
    "  return %1 : tensor<8x16xf32>\n}\n";

using Files = std::map<std::string, std::string>;

// Compiles the program, which lies in this folder, into a folder in it. Returns its files by name.
Files Compiled(const std::string& folder, const std::vector<std::string>& options,
               const std::string& text = kProgram) {
  const std::string out = TestFolder() + "/" + folder + "/out";
  std::filesystem::remove_all(out);
  std::filesystem::create_directories(out);
  std::vector<std::string> command = {"compile", WriteTestFile(folder + "/model.mlir", text), "-o",
                                      out, "--name=net"};
  command.insert(command.end(), options.begin(), options.end());
  const CommandResult result = RunHalyard(command);
  EXPECT_EQ(result.status, 0) << result.err;
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(out))
    files[entry.path().filename()] = ReadTestFile(entry.path());
  return files;
}

class Builds : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Builds, InTwoFoldersAreEqual) {
  std::vector<std::string> options = GetParam();
  options.push_back("--target=x86:v3,vulkan,cuda:sm_80");
  const Files first = Compiled("first", options), second = Compiled("second/folder", options);
  ASSERT_GE(first.size(), 2u);
  ASSERT_EQ(first.count("net.manifest.json"), 1u);
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, bytes] : first) {
    EXPECT_TRUE(second.count(name) == 1 && second.at(name) == bytes) << name;
    // The CUDA backend looks for NVIDIA's libraries in /usr/lib and the like.
    for (const std::string& place : std::vector<std::string>{
             "/home/", "/tmp/", "/work/", "/root/", "/usr/include", "/usr/bin", "/usr/share",
             HALYARD_SOURCE_DIR, HALYARD_BIN_DIR, TestFolder()}) {
      if (testing::kSanitized) break;
      EXPECT_EQ(bytes.find(place), std::string::npos) << name << " " << place;
    }
    if (name.find(".a") == std::string::npos) continue;
    const std::string path = TestFolder() + "/first/out/" + name;
    std::vector<std::string> tools = {"readelf -hsW", "ranlib", "ar t"};
    if (RunProgram({"sh", "-c", "command -v bsdtar"}).status == 0) tools.push_back("bsdtar -tf");
    for (const std::string& tool : tools) {
      const CommandResult read = RunProgram({"sh", "-c", tool + " " + path + " > /dev/null"});
      EXPECT_EQ(read.status, 0) << tool << " " << name;
      EXPECT_EQ(read.err, "") << tool << " " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllForms, Builds,
                         ::testing::Values(std::vector<std::string>{"--emit=split"},
                                           std::vector<std::string>{"--emit=programs"},
                                           std::vector<std::string>{"--emit=bundle"},
                                           std::vector<std::string>{"--emit=static"},
                                           std::vector<std::string>{"--emit=shared"},
                                           std::vector<std::string>{"--emit=static",
                                                                    "--weights=file"}));

TEST(Manifest, SaysWhatTheFilesAre) {
  const Files files = Compiled(
      "said", {"--target=x86:v3,vulkan", "--emit=static", "--weights=file", "--no-tuning"});
  const auto manifest = nlohmann::json::parse(files.at("net.manifest.json"));
  EXPECT_EQ(manifest["halyard"], HALYARD_VERSION_TEXT);
  EXPECT_EQ(manifest["format"], HALYARD_PROGRAM_FORMAT);
  EXPECT_EQ(manifest["program"]["name"], "model.mlir");
  EXPECT_EQ(manifest["program"]["bytes"], std::string(kProgram).size());
  EXPECT_EQ(manifest["options"]["emit"], "static");
  EXPECT_EQ(manifest["options"]["weights"], "file");
  EXPECT_TRUE(manifest["tuning"].is_null());
  EXPECT_EQ(manifest["entries"][0]["name"], "net");
  EXPECT_EQ(manifest["entries"][0]["arguments"][0]["dims"], (std::vector<int>{8, 16}));
  ASSERT_EQ(manifest["targets"].size(), 2u);
  EXPECT_EQ(manifest["targets"][0]["target"], "x86:v3");
  EXPECT_FALSE(manifest["targets"][1]["kernels"].empty());
  EXPECT_FALSE(manifest["targets"][1]["kernels"][0]["tuned"]);
  ASSERT_EQ(manifest["files"].size(), 3u);  // header, archive, weights
  std::string sums;
  for (const auto& file : manifest["files"]) {
    const std::string name = file["name"];
    EXPECT_EQ(file["bytes"], files.at(name).size()) << name;
    sums += std::string(file["sha256"]) + "  " + TestFolder() + "/said/out/" + name + "\n";
  }
  EXPECT_EQ(RunProgram({"sha256sum", "--check", WriteTestFile("sums", sums)}).status, 0);
}

TEST(Manifest, IsCheckedOnRequest) {
  const std::string manifest = WriteTestFile(
      "before.json", Compiled("checked", {"--target=x86:v3"}).at("net.manifest.json"));
  Compiled("checked", {"--target=x86:v3", "--check-manifest=" + manifest});
  const std::string program = TestFolder() + "/checked/model.mlir";
  const auto check = [&](const std::string& file, std::vector<std::string> options) {
    options.insert(options.begin(), {"compile", program, "--name=net", "-o",
                                     TestFolder() + "/checked/out", "--check-manifest=" + file});
    const CommandResult result = RunHalyard(options);
    EXPECT_EQ(result.status, 1) << result.out;
    return result.err;
  };
  EXPECT_THAT(check(manifest, {"--target=x86:v2"}),
              AllOf(HasSubstr("before.json: targets[0].target differs: it says \"x86:v3\", and "
                              "this compile \"x86:v2\"")));
  EXPECT_THAT(check(manifest, {"--target=x86:v3", "--emit=programs"}),
              HasSubstr("options.emit differs"));
  EXPECT_THAT(check(manifest, {"--target=x86:v3", "--no-attention"}),
              HasSubstr("options.attention differs"));
  EXPECT_THAT(check(manifest, {"--target=x86:v3", "--O0"}), HasSubstr("options.quick differs"));
  std::string text = kProgram;
  text.replace(text.find("0.5"), 3, "0.6");
  WriteTestFile("checked/model.mlir", text);
  EXPECT_THAT(check(manifest, {"--target=x86:v3"}), HasSubstr("program.sha256 differs"));
  EXPECT_THAT(check(WriteTestFile("text.json", "text"), {"--target=x86:v3"}),
              HasSubstr("text.json: this is no manifest"));
  EXPECT_THAT(check(WriteTestFile("other.json", "{\"a\": [1]}"), {"--target=x86:v3"}),
              HasSubstr("other.json: this is no manifest"));
  EXPECT_THAT(check("/nonexistent.json", {"--target=x86:v3"}), HasSubstr("/nonexistent.json"));
}

// Printing what differs would call itself for each level.
std::string DeepManifest() {
  constexpr size_t kDepth = 200'000;
  return "{\"files\": [], \"halyard\": " + std::string(kDepth, '[') + std::string(kDepth, ']') +
         "}";
}

// What it is to be compared with is read first, so that nothing is compiled and written in vain.
TEST(Manifest, IsReadBeforeAnythingIsWritten) {
  const std::string program = WriteTestFile("early/model.mlir", kProgram);
  const std::string out = TestFolder() + "/early/out";
  std::filesystem::create_directories(out);
  const std::vector<std::string> files = {TestFolder() + "/early/nothing.json",
                                          WriteTestFile("early/text.json", "text"),
                                          WriteTestFile("early/deep.json", DeepManifest())};
  for (const std::string& file : files) {
    const CommandResult result = RunHalyard({"compile", program, "--target=x86:v3", "--name=net",
                                             "-o", out, "--check-manifest=" + file});
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_THAT(result.err, HasSubstr(file));
    EXPECT_TRUE(std::filesystem::is_empty(out)) << file;
  }
}

TEST(Manifest, NamesTheFormThatWasChosen) {
  const auto form = [](const std::string& folder, const std::vector<std::string>& options,
                       const std::string& text) {
    const Files files = Compiled(folder, options, text);
    return std::string(nlohmann::json::parse(files.at("net.manifest.json"))["options"]["emit"]);
  };
  EXPECT_EQ(form("form", {"--target=x86:v3"}, kProgram), "split");
  EXPECT_EQ(form("form_sizes", {"--target=x86:v3", "--dim=x.0:1,2"},
                 "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  %0 = stablehlo.negate %x : tensor<?xf32>\n"
                 "  return %0 : tensor<?xf32>\n}\n"),
            "static");
}

// A manifest is not enough without records: with --locked, each kernel must have one.
TEST(Manifest, LockedCompilesNeedRecords) {
  const CommandResult result = RunHalyard(
      {"compile", WriteTestFile("locked.mlir", kProgram), "--target=x86:v3", "--locked",
       "--db=" + TestFolder() + "/none.db", "-o", TestFolder() + "/locked", "--name=net"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("schedules are locked; run `halyard tune "));
  EXPECT_FALSE(std::filesystem::exists(TestFolder() + "/locked/libnet.a"));
}

}  // namespace
}  // namespace halyard
