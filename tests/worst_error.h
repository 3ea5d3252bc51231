// The largest of several errors.
#ifndef HALYARD_TESTS_WORST_ERROR_H_
#define HALYARD_TESTS_WORST_ERROR_H_

#include <cmath>
#include <limits>

namespace halyard::testing {

// std::max(worst, error) forgets an error that is NaN: here a NaN is the worst there is.
template <typename T>
T Worse(T worst, T error) {
  return !(error <= std::numeric_limits<T>::max()) ? std::numeric_limits<T>::infinity()
         : error > worst                           ? error
                                                   : worst;
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_WORST_ERROR_H_
