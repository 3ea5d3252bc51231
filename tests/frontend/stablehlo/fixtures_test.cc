// Programs exported from JAX must all be read, and mean the same as the HLO that XLA makes from
// them.
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gtest/gtest.h"

namespace halyard::stablehlo {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> Programs() {
  std::vector<std::string> paths;
  for (const char* folder : {"/tests/data/fixtures", "/examples"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(HALYARD_SOURCE_DIR) + folder)) {
      if (entry.path().extension() == ".mlir") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

hlo::Literal RandomLiteral(const hlo::Shape& shape, std::mt19937& random) {
  hlo::Literal literal(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    if (hlo::IsFloat(shape.element_type())) {
      literal.SetFloat(i, std::uniform_real_distribution<double>(-1, 1)(random));
    } else if (hlo::IsComplex(shape.element_type())) {
      literal.SetComplex(i, {std::uniform_real_distribution<double>(-1, 1)(random), 0.5});
    } else {
      literal.SetInt(i, std::uniform_int_distribution<int>(1, 9)(random));
    }
  }
  return literal;
}

class Fixture : public testing::TestWithParam<std::string> {};

TEST_P(Fixture, MeansWhatItsHloMeans) {
  auto module = ParseStableHlo(ReadFile(GetParam()), GetParam());
  ASSERT_TRUE(module.ok()) << module.status();
  std::string hlo_path = std::filesystem::path(GetParam()).replace_extension(".hlo");
  // The evaluator is slow, so large models are left to the tests that compare with JAX's results.
  if (!std::filesystem::exists(hlo_path) || GetParam().find("transformer") != std::string::npos)
    return;
  auto want_module = hlo_text::ParseModule(ReadFile(hlo_path), hlo_path);
  ASSERT_TRUE(want_module.ok()) << want_module.status();
  std::mt19937 random(7);
  std::vector<hlo::Literal> arguments;
  for (const hlo::Instruction* parameter : (*module)->entry()->parameters()) {
    arguments.push_back(RandomLiteral(parameter->shape, random));
  }
  hlo::Evaluator got_evaluator, want_evaluator;
  got_evaluator.max_loop_iterations = want_evaluator.max_loop_iterations = 10000;
  auto got = got_evaluator.Run(**module, arguments);
  auto want = want_evaluator.Run(**want_module, arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_TRUE(want.ok()) << want.status();
  // XLA's export wraps a single result in a tuple.
  hlo::Literal expected = *want;
  if (got->shape().IsArray() && expected.shape().IsTuple()) expected = expected.elements().at(0);
  auto difference = hlo::Compare(*got, expected, 1e-5, 1e-6);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->within) << "leaf " << difference->leaf << " element " << difference->index
                                  << ": " << difference->got << ", want " << difference->want;
}

INSTANTIATE_TEST_SUITE_P(Jax, Fixture, testing::ValuesIn(Programs()), [](const auto& info) {
  const std::filesystem::path path(info.param);
  return path.parent_path().filename().string() + "_" + path.stem().string();
});

// The generic form, with locations, in which JAX's MLIR prints some fixtures.
class GenericTwin : public testing::TestWithParam<const char*> {};

TEST_P(GenericTwin, MeansTheSame) {
  std::string name = GetParam();
  std::string root = HALYARD_SOURCE_DIR;
  std::string pretty_path = root + "/tests/data/fixtures/" + name + ".mlir";
  std::string generic_path = root + "/tests/frontend/stablehlo/testdata/" + name + ".generic.mlir";
  auto pretty = ParseStableHlo(ReadFile(pretty_path), pretty_path);
  auto generic = ParseStableHlo(ReadFile(generic_path), generic_path);
  ASSERT_TRUE(pretty.ok()) << pretty.status();
  ASSERT_TRUE(generic.ok()) << generic.status();
  std::mt19937 random(7);
  std::vector<hlo::Literal> arguments;
  for (const hlo::Instruction* parameter : (*pretty)->entry()->parameters()) {
    arguments.push_back(RandomLiteral(parameter->shape, random));
  }
  hlo::Evaluator pretty_evaluator, generic_evaluator;
  auto want = pretty_evaluator.Run(**pretty, arguments);
  auto got = generic_evaluator.Run(**generic, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_TRUE(got->BitwiseEqual(*want));
}

INSTANTIATE_TEST_SUITE_P(Jax, GenericTwin,
                         testing::Values("conv_net", "sort", "collatz", "reductions"));

// In a program exported with debug information, every instruction of the entry has its line in the
// model.
class DebugExport : public testing::TestWithParam<const char*> {};

TEST_P(DebugExport, KeepsSourceLocations) {
  std::string path = std::string(HALYARD_SOURCE_DIR) + "/tests/frontend/stablehlo/testdata/" +
                     GetParam() + ".debug.mlir";
  auto module = ParseStableHlo(ReadFile(path), path);
  ASSERT_TRUE(module.ok()) << module.status();
  bool model_line = false;
  for (const auto& inst : (*module)->entry()->instructions()) {
    ASSERT_FALSE(inst->provenance.locations.empty()) << inst->name;
    EXPECT_EQ(inst->provenance.locations[0].file, path);
    for (const hlo::SourceLocation& place : inst->provenance.locations) {
      model_line = model_line || place.file == "model.py";
    }
  }
  EXPECT_TRUE(model_line);
}

INSTANTIATE_TEST_SUITE_P(Jax, DebugExport,
                         testing::Values("scan", "switch", "take", "topk", "bigbool", "dotalg",
                                         "fori"));

TEST(Fixtures, ThereAreSome) { EXPECT_GE(Programs().size(), 20u); }

}  // namespace
}  // namespace halyard::stablehlo
