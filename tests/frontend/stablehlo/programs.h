// All StableHLO programs in the tests.
#ifndef HALYARD_TESTS_FRONTEND_STABLEHLO_PROGRAMS_H_
#define HALYARD_TESTS_FRONTEND_STABLEHLO_PROGRAMS_H_

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/literal.h"
#include "gtest/gtest.h"
#include "tests/vectors/vector_file.h"

namespace halyard::stablehlo {

struct TestProgram {
  std::string name;  // of its file, with its position in the file
  std::string text;
};

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Returns the files in `folder` and below whose names end in `extension`.
inline std::vector<std::string> Files(absl::string_view folder, absl::string_view extension) {
  std::vector<std::string> paths;
  const std::string root = absl::StrCat(HALYARD_SOURCE_DIR, "/", folder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == std::string(extension)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::string BaseName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Returns the programs exported from JAX.
inline std::vector<TestProgram> Fixtures() {
  std::vector<TestProgram> programs;
  for (const char* folder :
       {"tests/data/fixtures", "examples", "tests/frontend/stablehlo/testdata"}) {
    for (const std::string& path : Files(folder, ".mlir")) {
      if (path.find("/pretty/") != std::string::npos) continue;  // they only test forms
      programs.push_back({BaseName(path), ReadFile(path)});
    }
  }
  return programs;
}

// Returns the specification's examples.
inline std::vector<Vector> Vectors() {
  std::vector<Vector> all;
  for (const std::string& path : Files("tests/data/vectors", ".mlir")) {
    absl::StatusOr<std::vector<Vector>> vectors = ReadVectors(path);
    EXPECT_TRUE(vectors.ok()) << vectors.status();
    if (vectors.ok()) all.insert(all.end(), vectors->begin(), vectors->end());
  }
  return all;
}

// Returns the correct programs of tests/data/constraints.
inline std::vector<TestProgram> ConstraintPrograms() {
  std::vector<TestProgram> programs;
  for (const std::string& path : Files("tests/data/constraints", ".mlir")) {
    std::istringstream lines(ReadFile(path));
    std::string line, text;
    int number = 0;
    auto end = [&] {
      if (text.find_first_not_of(" \n") != std::string::npos) {
        programs.push_back({absl::StrCat(BaseName(path), ":", number), text});
      }
      text.clear();
    };
    while (std::getline(lines, line)) {
      ++number;
      if (line == "// -----") end();
      if (line.rfind("//", 0) != 0) text += line + "\n";
    }
    end();
  }
  return programs;
}

inline hlo::Literal RandomLiteral(const hlo::Shape& shape, std::mt19937& random) {
  if (shape.IsTuple()) {
    std::vector<hlo::Literal> elements;
    for (const hlo::Shape& element : shape.elements()) {
      elements.push_back(RandomLiteral(element, random));
    }
    return hlo::Literal::Tuple(std::move(elements));
  }
  if (shape.IsToken()) return hlo::Literal::Token();
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

}  // namespace halyard::stablehlo

#endif  // HALYARD_TESTS_FRONTEND_STABLEHLO_PROGRAMS_H_
