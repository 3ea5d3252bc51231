// reduce-precision rounds to a given number of exponent and mantissa bits and keeps the element
// type.
#ifndef HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_
#define HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_

#include "lowering/numerics/numerics.h"

namespace halyard::lowering::numerics {

// First, the mantissa is rounded to even. Then, too large an exponent becomes infinity, and a
// denormal of the reduced format becomes a zero of its sign. NaN stays NaN. Requires a float type,
// exponent_bits >= 1, and mantissa_bits >= 0.
Value ReducePrecision(const Value& x, int exponent_bits, int mantissa_bits);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_REDUCE_PRECISION_H_
