// Code that tests of programs with several processes share.
#ifndef HALYARD_TESTS_CLIENT_GRID_RUNS_H_
#define HALYARD_TESTS_CLIENT_GRID_RUNS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/client/clients.h"

namespace halyard::testing {

using Literals = std::vector<hlo::Literal>;
using Grids = std::vector<Literals>;  // the arrays of each process

// Compiles the program, which messages call "p.hlo", and runs all its processes.
inline absl::StatusOr<Grids> RunGridOn(const std::string& target, const std::string& text,
                                       const Grids& arguments, const GridRunOptions& options = {}) {
  auto module = ParseProgram(text, "p.hlo");
  if (!module.ok()) return module.status();
  auto executable = ClientFor(target)->Compile(**module);
  if (!executable.ok()) return executable.status();
  return (*executable)->RunGridLiterals(arguments, options);
}

// Returns "{1, 2} 3 | {4, 5} 6" for two processes with two results each, or the error message.
inline std::string Text(const absl::StatusOr<Grids>& results) {
  if (!results.ok()) return std::string(results.status().message());
  return absl::StrJoin(*results, " | ", [](std::string* out, const Literals& own) {
    absl::StrAppend(out, absl::StrJoin(own, " ", [](std::string* o, const hlo::Literal& literal) {
                      absl::StrAppend(o, literal.ToString());
                    }));
  });
}

inline hlo::Literal S32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, std::move(dims), values);
}

// HLO text of the computation `add` of scalars.
inline constexpr char kAdd[] =
    "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n";

class GridTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (ClientFor(GetParam()) == nullptr) GTEST_SKIP() << "there is no " << GetParam();
  }
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CLIENT_GRID_RUNS_H_
