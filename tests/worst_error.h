// Finds the largest of several errors.
#ifndef HALYARD_TESTS_WORST_ERROR_H_
#define HALYARD_TESTS_WORST_ERROR_H_

#include <cmath>
#include <limits>

namespace halyard::testing {

// Returns the larger of the two errors, or infinity if `error` is NaN or infinite. std::max(worst,
// error) would drop a NaN.
template <typename T>
T Worse(T worst, T error) {
  return !(error <= std::numeric_limits<T>::max()) ? std::numeric_limits<T>::infinity()
         : error > worst                           ? error
                                                   : worst;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_WORST_ERROR_H_
