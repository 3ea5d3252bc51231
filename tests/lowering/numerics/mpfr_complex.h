// Computes functions of finite complex numbers in thousands of bits (GNU MPFR), whose exponents are
// unlimited. This is the oracle near over- and underflow, poles and zeros.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_

#include <complex>

#include "frontend/hlo/ir/opcode.h"

namespace halyard::lowering::testing {

// Evaluates the complex unary rows, divide and power. Operands are finite, and not zero if the
// function is singular there.
std::complex<long double> ExactlyComplex(hlo::Opcode opcode, std::complex<double> x);
std::complex<long double> ExactlyComplex(hlo::Opcode opcode, std::complex<double> a,
                                         std::complex<double> b);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_MPFR_COMPLEX_H_
