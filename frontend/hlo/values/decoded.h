// Whole literals as vectors of the widest type of their class, with which the evaluator computes.
#ifndef HALYARD_FRONTEND_HLO_VALUES_DECODED_H_
#define HALYARD_FRONTEND_HLO_VALUES_DECODED_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::hlo {

using Complex128 = std::complex<double>;

// Integers and PRED as 64 bits: sign-extended for signed types, zero-extended for the others.
std::vector<uint64_t> DecodeInts(const Literal& literal);
// Float arrays, exactly; integers and PRED rounded to nearest.
std::vector<double> DecodeFloats(const Literal& literal);
// Complex arrays. Real arrays get an imaginary part of 0.
std::vector<Complex128> DecodeComplexes(const Literal& literal);

// The way back: integers wrap (for PRED, nonzero is true), and floats round to nearest even.
// `shape` is an array of that class.
Literal EncodeInts(const Shape& shape, absl::Span<const uint64_t> values);
Literal EncodeFloats(const Shape& shape, absl::Span<const double> values);
Literal EncodeComplexes(const Shape& shape, absl::Span<const Complex128> values);

// Returns the same bytes, shared, with another array shape of equal size.
Literal WithShape(const Literal& literal, const Shape& shape);

// HLO convert, between any two element types.
Literal ConvertLiteral(const Literal& literal, ElementType type);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_DECODED_H_
