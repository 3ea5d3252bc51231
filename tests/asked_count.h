// Reads from the environment how many times a random test runs.
#ifndef HALYARD_TESTS_ASKED_COUNT_H_
#define HALYARD_TESTS_ASKED_COUNT_H_

#include <gtest/gtest.h>

#include <cstdlib>

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

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_ASKED_COUNT_H_
