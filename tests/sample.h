// Says which part of a long test runs.
#ifndef HALYARD_TESTS_SAMPLE_H_
#define HALYARD_TESTS_SAMPLE_H_

#include <cstdlib>

namespace halyard::testing {

// Returns whether all cases of a test run: if $HALYARD_NIGHTLY or $HALYARD_ALL_CASES is set.
// Without them, `scripts/test` runs a fixed sample, in which every path of the code and every type
// is.
inline bool AllCases() {
  return std::getenv("HALYARD_NIGHTLY") != nullptr || std::getenv("HALYARD_ALL_CASES") != nullptr;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SAMPLE_H_
