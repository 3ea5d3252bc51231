// Reads from the environment how many times a random test runs.
#ifndef HALYARD_TESTS_ASKED_COUNT_H_
#define HALYARD_TESTS_ASKED_COUNT_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace halyard::testing {

// Returns the number in the environment variable `variable`, or `otherwise` if it is not set. A
// number below 1 fails the test, because a test of nothing would pass.
inline int AskedCount(const char* variable, int otherwise) {
  const char* asked = std::getenv(variable);
  if (asked == nullptr) return otherwise;
  const int count = std::atoi(asked);
  EXPECT_GT(count, 0) << "$" << variable << " is \"" << asked << "\"";
  return count;
}

// Returns how many random programs a test makes on `target`, of a kind of which there is one for
// every `share` plain programs: $HALYARD_RANDOM_PROGRAMS / share, a fifth of it in the interpreter
// of CUDA's kernels, which is slower, and `otherwise` if the variable is not set.
inline int AskedPrograms(const std::string& target, int otherwise, int share = 1) {
  if (std::getenv("HALYARD_RANDOM_PROGRAMS") == nullptr) return otherwise;
  const int of_target = target == "cuda" ? 5 : 1;
  return std::max(1, AskedCount("HALYARD_RANDOM_PROGRAMS", otherwise) / (share * of_target));
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_ASKED_COUNT_H_
