// Every program of tests/data/vectors, tests/data/check and tests/data/fixtures with its own
// arguments.
#ifndef HALYARD_TESTS_PROGRAMS_TEST_PROGRAMS_H_
#define HALYARD_TESTS_PROGRAMS_TEST_PROGRAMS_H_

#include <functional>
#include <string>

#include "tests/programs/minimize.h"

namespace halyard::testing {

// A program of one process, without calls between functions, whose result is an array or a tuple of
// arrays, and whose arguments are arrays.
struct TestProgram {
  std::string name;  // "vectors/unary.mlir:12", "check/abs.mlir @abs_f32", "fixtures/softmax"
  std::string kind;  // what it is a test of: "unary.mlir abs F"; like programs are alike
  Program program;
};

// Calls `use` for each program; they are made one at a time. Says on the standard output how many
// there are of each folder, and what was left out.
void ForEachTestProgram(const std::function<void(TestProgram)>& use);

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_PROGRAMS_TEST_PROGRAMS_H_
