// Whole literals as vectors of the widest type of their class: what the evaluator computes with.
#ifndef HALYARD_FRONTEND_HLO_DECODED_H_
#define HALYARD_FRONTEND_HLO_DECODED_H_

#include <complex>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "frontend/hlo/literal.h"

namespace halyard::hlo {

using Complex128 = std::complex<double>;

// Integers and PRED as 64 bits: sign-extended for signed types, zero-extended for the others.
std::vector<uint64_t> DecodeInts(const Literal& literal);
// Float arrays, exactly; integers and PRED rounded to nearest.
std::vector<double> DecodeFloats(const Literal& literal);
// Complex arrays; real ones get an imaginary part of 0.
std::vector<Complex128> DecodeComplexes(const Literal& literal);

// Back: integers wrap (PRED: nonzero is true), floats round to nearest even. `shape` is an array of
// that class.
Literal EncodeInts(const Shape& shape, absl::Span<const uint64_t> values);
Literal EncodeFloats(const Shape& shape, absl::Span<const double> values);
Literal EncodeComplexes(const Shape& shape, absl::Span<const Complex128> values);

// The same bytes under another array shape of equal size, shared.
Literal WithShape(const Literal& literal, const Shape& shape);

// HLO convert, between any two element types.
Literal ConvertLiteral(const Literal& literal, ElementType type);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_DECODED_H_
