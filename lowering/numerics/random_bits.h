// Counter-based random bits on Halide expressions, for threefry-block and philox-block of the op
// table (frontend/hlo/values/random.h). Operands and results are UInt(64), which hold two 32-bit
// words each.
#ifndef HALYARD_LOWERING_NUMERICS_RANDOM_BITS_H_
#define HALYARD_LOWERING_NUMERICS_RANDOM_BITS_H_

#include "Halide.h"

namespace halyard::lowering::numerics {

Halide::Expr ThreefryBlock(const Halide::Expr& key, const Halide::Expr& counter);
// `half` 0 returns the first two of the four words, and 1 the others.
Halide::Expr PhiloxBlock(const Halide::Expr& key, const Halide::Expr& low, const Halide::Expr& high,
                         const Halide::Expr& half);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_RANDOM_BITS_H_
