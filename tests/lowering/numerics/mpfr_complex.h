// Functions of finite complex numbers in thousands of bits (GNU MPFR), whose exponents never end:
// what the results near over- and underflow, poles and zeros must be.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_

#include <complex>

#include "frontend/hlo/ir/opcode.h"

namespace halyard::lowering::testing {

// The complex unary rows; and divide and power. Operands are finite, and not zero where
// the function is singular there.
std::complex<long double> ExactlyComplex(hlo::Opcode opcode, std::complex<double> x);
std::complex<long double> ExactlyComplex(hlo::Opcode opcode, std::complex<double> a,
                                         std::complex<double> b);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_
