// Bytecode that jaxlib wrote must give the same as the text that jaxlib wrote. testdata/bytecode,
// which make.py there made, holds every op, attribute and type of VHLO, in several versions.
#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/ops.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "gtest/gtest.h"
#include "tests/frontend/stablehlo/same_document.h"

namespace halyard::stablehlo {
namespace {

const char* const kFolder = HALYARD_SOURCE_DIR "/tests/frontend/stablehlo/testdata/bytecode/";

std::vector<std::string> Files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".mlirbc") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the name of the text: "newer.3.0.17.0.mlirbc" → "newer.3.mlir.out".
std::string TextOf(const std::string& name) {
  const std::string own = name.substr(0, name.size() - 7) + ".mlir.out";
  if (std::filesystem::exists(kFolder + own)) return own;
  const size_t first = name.find('.');
  const bool numbered = !absl::StartsWith(name, "ops");
  return name.substr(0, numbered ? name.find('.', first + 1) : first) + ".mlir.out";
}

class Bytecode : public testing::TestWithParam<std::string> {};

TEST_P(Bytecode, GivesWhatTextGives) {
  const std::string bytes = ReadFileBytes(kFolder + GetParam());
  const std::string text = ReadFileBytes(kFolder + TextOf(GetParam()));
  ASSERT_FALSE(text.empty());
  EXPECT_TRUE(IsBytecode(bytes));
  auto read = ReadBytecode(bytes, GetParam());
  ASSERT_TRUE(read.ok()) << read.status();
  auto want = mlir::ParseMlir(text, TextOf(GetParam()), StableHloSyntax());
  ASSERT_TRUE(want.ok()) << want.status();
  EXPECT_EQ(Difference(**want, **read), "");
}

INSTANTIATE_TEST_SUITE_P(Files, Bytecode, testing::ValuesIn(Files()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = absl::ascii_isalnum(c) ? c : '_';
  return name;
});

void CollectNames(const std::vector<std::unique_ptr<mlir::Operation>>& operations,
                  std::set<std::string>* names) {
  for (const auto& op : operations) {
    names->insert(op->name);
    for (const auto& region : op->regions) {
      for (const auto& block : region.blocks) CollectNames(block->operations, names);
    }
  }
}

// The files hold all ops except those that are newer than the jaxlib that made the files.
TEST(Bytecode, FilesHoldEveryOp) {
  std::set<std::string> names;
  for (const std::string& name : Files()) {
    const std::string bytes = ReadFileBytes(kFolder + name);
    auto read = ReadBytecode(bytes, name);
    ASSERT_TRUE(read.ok()) << read.status();
    CollectNames((*read)->operations, &names);
  }
  for (const VhloOp& op : VhloOps()) {
    if (op.first > Version{1, 17, 0}) continue;
    EXPECT_TRUE(names.contains(op.target)) << op.name;
  }
}

TEST(Bytecode, KeepsLocations) {
  const std::string bytes = ReadFileBytes(std::string(kFolder) + "ops.1.17.0.mlirbc");
  auto read = ReadBytecode(bytes, "ops.mlirbc");
  ASSERT_TRUE(read.ok()) << read.status();
  const mlir::Block& body = *(*read)->operations[0]->regions[0].blocks[0];
  const mlir::Block& function = *body.operations[0]->regions[0].blocks[0];
  const mlir::Location& named = *function.operations[1]->location;
  EXPECT_EQ(named.kind, mlir::Location::Kind::kName);
  EXPECT_EQ(named.text, "named");
  ASSERT_EQ(named.children.size(), 1u);
  EXPECT_EQ(named.children[0]->text, "file.py");
  EXPECT_EQ(named.children[0]->line, 3);
  EXPECT_EQ(named.children[0]->column, 14);
  EXPECT_EQ(function.operations[2]->location->kind, mlir::Location::Kind::kFused);
  EXPECT_EQ(function.operations[3]->location->kind, mlir::Location::Kind::kCallSite);
}

// Replaces the producer string, which states the version of the file.
std::string ErrorWithProducer(const std::string& producer) {
  std::string bytes = ReadFileBytes(std::string(kFolder) + "ops.1.17.0.mlirbc");
  bytes.replace(bytes.find("StableHLO_v1.17.0"), 17, producer);
  auto read = ReadBytecode(bytes, "p.mlirbc");
  return read.ok() ? "" : std::string(read.status().message());
}

TEST(Bytecode, VersionsOutOfRange) {
  EXPECT_EQ(ErrorWithProducer("StableHLO_v1.22.7"), "");
  EXPECT_EQ(ErrorWithProducer("StableHLO_v1.23.0"),
            "p.mlirbc:1:1: error: the file is of StableHLO version 1.23.0; supported are versions "
            "0.9.0 to 1.22.0");
  EXPECT_EQ(ErrorWithProducer("StableHLO_v0.8.0"),
            "p.mlirbc:1:1: error: the file is of StableHLO version 0.8.0; supported are versions "
            "0.9.0 to 1.22.0");
  EXPECT_EQ(ErrorWithProducer("MLIR24"), "");
}

TEST(Bytecode, NewerFormat) {
  auto read = ReadBytecode(std::string("ML\xefR\x0fNew\0", 9), "p.mlirbc");
  EXPECT_EQ(read.status().message(),
            "p.mlirbc:1:5: error: the file has version 7 of the MLIR bytecode format (written by "
            "'New'); versions 0 to 6 are supported");
}

TEST(Bytecode, UnknownOp) {
  std::string bytes = ReadFileBytes(std::string(kFolder) + "ops.1.17.0.mlirbc");
  bytes.replace(bytes.find("tanh_v2"), 7, "tanh_v3");
  auto read = ReadBytecode(bytes, "p.mlirbc");
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(absl::StrContains(read.status().message(),
                                "VHLO op 'vhlo.tanh_v3' is not known: the file was written as "
                                "StableHLO_v1.17.0; supported are versions 0.9.0 to 1.22.0"))
      << read.status();
}

TEST(Versions, AreParsed) {
  EXPECT_EQ(*ParseVersion("0.9.0"), kOldestVersion);
  EXPECT_EQ(*ParseVersion("1.22.3"), (Version{1, 22, 3}));
  EXPECT_EQ(ToString(Version{1, 2, 3}), "1.2.3");
  for (const char* wrong :
       {"", "1", "1.2", "1.2.x", "-1.2.3", "1.23.0", "0.8.9", "1.2.3.4", "1.2.99999999999"}) {
    EXPECT_FALSE(ParseVersion(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace halyard::stablehlo
