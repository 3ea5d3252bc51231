// Programs written as bytecode must read back the same, in every version that supports them. What a
// version lacks is an error.
//
// If HALYARD_BYTECODE_OUT=DIR is set, writes the files to that folder, for with_jaxlib.py.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo_text/printer.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "gtest/gtest.h"
#include "tests/frontend/stablehlo/same_document.h"

namespace halyard::stablehlo {
namespace {

const char* const kFolder = HALYARD_SOURCE_DIR "/tests/frontend/stablehlo/testdata/bytecode/";

// A target for each format of bytecode, and for each version that added something.
const Version kTargets[] = {{0, 9, 0},  {0, 10, 0}, {0, 12, 0}, {0, 14, 0}, {0, 15, 0}, {0, 17, 0},
                            {0, 18, 0}, {0, 19, 0}, {0, 20, 0}, {1, 0, 0},  {1, 1, 0},  {1, 5, 0},
                            {1, 6, 0},  {1, 9, 0},  {1, 10, 0}, {1, 12, 0}, {1, 14, 0}, {1, 16, 0},
                            {1, 17, 0}, {1, 18, 0}, {1, 19, 0}, {1, 20, 0}, {1, 21, 0}, {1, 22, 0}};

void Keep(const std::string& name, const Version& version, const std::string& bytes) {
  const char* folder = std::getenv("HALYARD_BYTECODE_OUT");
  if (folder == nullptr) return;
  std::ofstream out(absl::StrCat(folder, "/", name, ".", ToString(version), ".mlirbc"),
                    std::ios::binary);
  out << bytes;
}

// Returns the version in an error such as "needs StableHLO version 1.6.0", or 0.0.0 if there is
// none.
Version NeededVersion(absl::string_view message) {
  const absl::string_view mark = "needs StableHLO version ";
  const size_t at = message.find(mark);
  Version version;
  if (at == absl::string_view::npos) return version;
  message = message.substr(at + mark.size());
  SplitVersion(message.substr(0, message.find(';')), &version);
  return version;
}

// Writes the text in all versions. Returns the oldest version that supports all of it. `exact`: the
// text comes from bytecode, without attributes that have their default values.
Version CheckText(const std::string& name, const std::string& text, bool exact) {
  auto document = mlir::ParseMlir(text, name, StableHloSyntax());
  EXPECT_TRUE(document.ok()) << document.status();
  Version oldest{999, 0, 0};
  if (!document.ok()) return oldest;
  for (const Version& target : kTargets) {
    auto bytes = WriteBytecode(**document, target);
    if (!bytes.ok()) {
      EXPECT_GT(NeededVersion(bytes.status().message()), target) << bytes.status();
      continue;
    }
    oldest = std::min(oldest, target);
    Keep(name, target, *bytes);
    auto read = ReadBytecode(*bytes, name);
    EXPECT_TRUE(read.ok()) << ToString(target) << ": " << read.status();
    if (read.ok()) {
      if (exact) {
        EXPECT_EQ(Difference(**document, **read), "") << ToString(target);
      }
      // The module that was read must be written as the same bytes.
      auto again = WriteBytecode(**read, target);
      EXPECT_TRUE(again.ok()) << again.status();
      if (again.ok()) {
        EXPECT_TRUE(*again == *bytes) << ToString(target);
      }
    }
  }
  return oldest;
}

std::vector<std::string> Texts() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (absl::EndsWith(name, ".mlir.out") && !absl::StrContains(name, "plain")) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Writing : public testing::TestWithParam<std::string> {};

TEST_P(Writing, RoundTripInEveryVersion) {
  const Version oldest = CheckText(GetParam(), ReadFileBytes(kFolder + GetParam()), true);
  // jaxlib wrote the same program for the oldest version that it supports, which the file name
  // states.
  const std::string stem = absl::StrReplaceAll(GetParam(), {{".mlir.out", "."}});
  Version jaxlib{999, 0, 0};
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    Version version;
    if (absl::StartsWith(name, stem) && absl::EndsWith(name, ".mlirbc") &&
        SplitVersion(name.substr(stem.size(), name.size() - stem.size() - 7), &version)) {
      jaxlib = std::min(jaxlib, version);
    }
  }
  // The targets may skip that version.
  Version expected{999, 0, 0};
  for (const Version& target : kTargets) {
    if (target >= jaxlib) expected = std::min(expected, target);
  }
  EXPECT_EQ(ToString(oldest), ToString(expected));
}

INSTANTIATE_TEST_SUITE_P(Texts, Writing, testing::ValuesIn(Texts()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{".mlir.out", ""}, {".", "_"}});
});

std::vector<std::string> Programs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HALYARD_SOURCE_DIR) +
                                                               "/tests/data/fixtures")) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Program : public testing::TestWithParam<std::string> {};

// Returns the text without provenance.
std::string HloOf(const hlo::Module& module) {
  hlo_text::PrintOptions options;
  options.canonical = true;
  return hlo_text::Print(module, options);
}

TEST_P(Program, MeansTheSameAsBytecode) {
  const std::string text = ReadFileBytes(GetParam());
  auto want = ParseStableHlo(text, "p.mlir");
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  ASSERT_TRUE(document.ok()) << document.status();
  const std::string name = std::filesystem::path(GetParam()).stem().string();
  Version oldest = CheckText(name, text, false);
  EXPECT_LE(oldest, kNewestVersion);
  auto bytes = WriteBytecode(**document, kNewestVersion);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  auto got = ParseStableHlo(*bytes, "p.mlir");
  ASSERT_EQ(got.ok(), want.ok()) << got.status() << want.status();
  if (want.ok()) {
    EXPECT_EQ(HloOf(**got), HloOf(**want));
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Program, testing::ValuesIn(Programs()), [](const auto& info) {
  return absl::StrReplaceAll(std::filesystem::path(info.param).stem().string(), {{".", "_"}});
});

std::string ErrorOf(const std::string& body, Version target) {
  const std::string text = absl::StrCat(
      "func.func @main(%x: tensor<2x4xf32>, %t: !stablehlo.token, %i: tensor<i32>) {\n", body,
      "\nreturn\n}\n");
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  EXPECT_TRUE(document.ok()) << document.status();
  auto bytes = WriteBytecode(**document, target);
  return bytes.ok() ? "" : std::string(bytes.status().message());
}

struct Newer {
  const char* body;
  Version version;
  const char* what;
};

TEST(Writing, NamesTheVersionThatIsNeeded) {
  const Newer kCases[] = {
      {"%0 = stablehlo.tan %x : tensor<2x4xf32>", {1, 4, 0}, "'stablehlo.tan': it"},
      {"%0 = stablehlo.custom_call @f(%x) {result_tilings = [[dense<[8, 128]> : tensor<2xindex>]]} "
       ": (tensor<2x4xf32>) -> tensor<2x4xf32>",
       {1, 18, 0},
       "'stablehlo.custom_call': 'result_tilings'"},
      {"%0 = stablehlo.custom_call @f(%x) {backend_config = {}, api_version = 4 : i32} : "
       "(tensor<2x4xf32>) -> tensor<2x4xf32>",
       {1, 3, 0},
       "'stablehlo.custom_call': a dictionary as 'backend_config'"},
      {"%0 = \"stablehlo.collective_broadcast\"(%x) {replica_groups = dense<[[0, 1]]> : "
       "tensor<1x2xi64>, has_dynamic_root} : (tensor<2x4xf32>) -> tensor<2x4xf32>",
       {1, 20, 0},
       "'stablehlo.collective_broadcast': 'has_dynamic_root'"},
      {"%0:2 = \"stablehlo.collective_broadcast\"(%x, %x) {replica_groups = dense<[[0, 1]]> : "
       "tensor<1x2xi64>} : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, "
       "tensor<2x4xf32>)",
       {1, 20, 0},
       "'stablehlo.collective_broadcast': several operands"},
      {"%0 = \"stablehlo.collective_reduce\"(%x) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
       "stablehlo.return %a : tensor<f32>\n}) {replica_groups = dense<[[0, 1]]> : "
       "tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x4xf32>",
       {1, 19, 0},
       "'stablehlo.collective_reduce': it"},
      {"%0 = \"stablehlo.send\"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 0, "
       "type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>, "
       "!stablehlo.token) -> !stablehlo.token",
       {1, 12, 0},
       "'stablehlo.send': 'source_target_pairs'"},
      {"%0 = chlo.erf %x : tensor<2x4xf32> -> tensor<2x4xf32>",
       {1, 11, 0},
       "'chlo.erf': an op of another dialect"},
      {"%0 = stablehlo.exp2 %x : tensor<2x4xf32>", {1, 22, 0}, "'stablehlo.exp2': it"},
      {"%0 = \"stablehlo.dot_general\"(%x, %x) {dot_dimension_numbers = "
       "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, "
       "algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E4M3FN, rhs_precision_type = "
       "f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
       "num_primitive_operations = 3, allow_imprecise_accumulation = false>} : "
       "(tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x2xf32>",
       {1, 21, 0},
       "'stablehlo.dot_general': the algorithm"},
      {"%0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, replica_groups = "
       "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "
       "\"x\">]>} : (tensor<2x4xf32>) -> tensor<4x4xf32>",
       {1, 16, 0},
       "'stablehlo.all_gather': #stablehlo.replica_group_mesh_axes"},
      {"%0 = stablehlo.convert %x : (tensor<2x4xf32>) -> tensor<2x4xf8E4M3>",
       {1, 7, 0},
       "'stablehlo.convert': type f8E4M3"},
  };
  for (const Newer& newer : kCases) {
    const Version before{newer.version.major, newer.version.minor - 1, 0};
    EXPECT_EQ(ErrorOf(newer.body, newer.version), "");
    EXPECT_EQ(ErrorOf(newer.body, before),
              absl::StrCat("p.mlir:2:", absl::StrContains(newer.body, ":2 =") ? 8 : 6,
                           ": error: ", newer.what, " needs StableHLO version ",
                           ToString(newer.version), "; the target is version ", ToString(before)))
        << newer.body;
  }
}

TEST(Writing, WhatNoVersionHas) {
  EXPECT_TRUE(absl::StrContains(ErrorOf("\"stablehlo.no_such_op\"() : () -> ()", kNewestVersion),
                                "'stablehlo.no_such_op': portable artifacts have no such op"));
  EXPECT_TRUE(
      absl::StrContains(ErrorOf("%0 = \"stablehlo.iota\"() : () -> tensor<4xf32>", kNewestVersion),
                        "'stablehlo.iota': attribute 'iota_dimension' is missing"));
  mlir::Document empty("", "p.mlir");
  EXPECT_FALSE(WriteBytecode(empty, Version{1, 23, 0}).ok());
  EXPECT_TRUE(WriteBytecode(empty, kNewestVersion).ok());
}

// Locations are kept, too.
TEST(Writing, KeepsLocations) {
  const std::string text =
      "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<i32> "
      "loc(callsite(\"n\"(\"a.py\":1:2) at fused[\"b.py\":3:4, \"m\"]))\n  return loc(#x)\n}\n"
      "#x = loc(\"x.py\":5:6)\n";
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  ASSERT_TRUE(document.ok()) << document.status();
  for (const Version& target : kTargets) {
    auto bytes = WriteBytecode(**document, target);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    auto read = ReadBytecode(*bytes, "p.mlirbc");
    ASSERT_TRUE(read.ok()) << read.status();
    const mlir::Block& module = *(*read)->operations[0]->regions[0].blocks[0];
    const mlir::Block& body = *module.operations[0]->regions[0].blocks[0];
    const mlir::Location& site = *body.operations[0]->location;
    ASSERT_EQ(site.kind, mlir::Location::Kind::kCallSite);
    EXPECT_EQ(site.children[0]->text, "n");
    EXPECT_EQ(site.children[0]->children[0]->text, "a.py");
    EXPECT_EQ(site.children[1]->children[0]->line, 3);
    EXPECT_EQ(body.operations[1]->location->text, "x.py");
    EXPECT_EQ(body.operations[1]->location->column, 6);
  }
}

}  // namespace
}  // namespace halyard::stablehlo
