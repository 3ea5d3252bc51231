// f64 functions in 128 bits (GNU MPFR), rounded once to a long double's 64: the oracle of f64.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_

#include <vector>

#include "frontend/hlo/ir/opcode.h"

namespace halyard::lowering::testing {

// Evaluates the unary rows from exponential to erf, and power, atan2, remainder, add, subtract,
// multiply and divide.
long double Exactly(hlo::Opcode opcode, double x);
long double Exactly(hlo::Opcode opcode, double x, double y);

// Returns the numbers of `bits` significant bits (at most 53), from 1 to 2^last_exponent, that are
// the closest to multiples of pi/2 among those of their exponent, on either side: the hard ones for
// the reduction of sin's arguments. They are the denominators, and those between two of them, of
// the continued fractions of 2^e * 2/pi.
std::vector<double> NearQuarterTurns(int bits, int last_exponent);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_
