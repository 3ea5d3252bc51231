// reduce-precision: rounding to a given number of exponent and mantissa bits, the element type
// kept.
#ifndef HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_
#define HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_

#include "lowering/numerics.h"

namespace halyard::lowering::numerics {

// First the mantissa is rounded to even, then too large an exponent becomes infinity, a denormal of
// the reduced format a zero of its sign. NaN stays. Requires a float type, exponent_bits >= 1,
// mantissa_bits >= 0.
Value ReducePrecision(const Value& x, int exponent_bits, int mantissa_bits);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_
