// f64 functions in 128 bits (GNU MPFR), rounded once to a long double's 64: the oracle of f64.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_

#include "frontend/hlo/ir/opcode.h"

namespace halyard::lowering::testing {

// Evaluates the unary rows from exponential to erf, and power, atan2, remainder, add, subtract,
// multiply and divide.
long double Exactly(hlo::Opcode opcode, double x);
long double Exactly(hlo::Opcode opcode, double x, double y);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_MPFR_ORACLE_H_
