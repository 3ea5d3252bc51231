// convert, bitcast-convert, reduce-precision, real, imag, complex.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "frontend/hlo/evaluate/elementwise.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/values/decoded.h"

namespace halyard::hlo {

absl::StatusOr<Literal> EvaluateConvert(Evaluator&, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  return ConvertLiteral(operands[0], inst.shape.element_type());
}

absl::StatusOr<Literal> EvaluateBitcastConvert(Evaluator&, const Instruction& inst,
                                               absl::Span<const Literal> operands) {
  const Literal& from = operands[0];
  int from_bits = BitWidth(from.shape().element_type());
  int to_bits = BitWidth(inst.shape.element_type());
  if (from_bits % 8 == 0 && to_bits % 8 == 0) return WithShape(from, inst.shape);
  // Types narrower than a byte are stored in one byte each; their bits are joined or split, low
  // ones first.
  Literal to(inst.shape.WithDefaultLayout());
  int64_t count = to.shape().NumElements();
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    if (to_bits >= from_bits) {
      int64_t ratio = to_bits / from_bits;
      for (int64_t k = 0; k < ratio; ++k) bits |= from.GetBits(i * ratio + k) << (k * from_bits);
    } else {
      int64_t ratio = from_bits / to_bits;
      bits = (from.GetBits(i / ratio) >> (i % ratio * to_bits)) & ((uint64_t{1} << to_bits) - 1);
    }
    to.SetBits(i, bits);
  }
  return to;
}

namespace {

// A real number is its own real part. Its imaginary part is 0.
Literal PartOf(const Literal& from, int part, const Shape& shape) {
  if (!IsComplex(from.shape().element_type())) {
    if (part == 0) return WithShape(from, shape);
    return EncodeFloats(shape, std::vector<double>(shape.NumElements()));
  }
  Literal to(shape.WithDefaultLayout());
  const size_t width = StorageBytes(shape.element_type());
  const absl::Span<std::byte> out = to.mutable_bytes();
  for (size_t at = 0; at < out.size(); at += width)
    std::copy_n(from.bytes().data() + 2 * at + part * width, width, out.data() + at);
  return to;
}

// One value of `type`, given by its bits. First the significand is rounded to even, then what no
// longer fits in the exponent overflows, and what would be a denormal becomes zero.
double ReducePrecision(ElementType type, uint64_t bits, int64_t exponent_bits,
                       int64_t mantissa_bits) {
  FloatFormat f = FormatOf(type);
  double value = DecodeFloat(type, bits);
  if (!std::isfinite(value)) return value;
  int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  uint64_t magnitude = bits & ((uint64_t{1} << magnitude_bits) - 1);
  if (mantissa_bits < f.mantissa_bits) {
    int64_t dropped = f.mantissa_bits - mantissa_bits;
    uint64_t odd = (magnitude >> dropped) & 1;
    magnitude += (uint64_t{1} << (dropped - 1)) - 1 + odd;
    magnitude = magnitude >> dropped << dropped;
  }
  double infinity = std::copysign(HUGE_VAL, value);
  if (magnitude >> magnitude_bits != 0) return infinity;
  double rounded = DecodeFloat(type, magnitude);
  if (!std::isfinite(rounded)) return infinity;
  if (exponent_bits < f.exponent_bits) {
    int64_t bias = (int64_t{1} << (exponent_bits - 1)) - 1;
    int64_t exponent = static_cast<int64_t>(magnitude >> f.mantissa_bits) - f.bias;
    if (exponent > bias) return infinity;
    if (exponent < 1 - bias) rounded = 0;
  }
  return std::copysign(rounded, value);
}

}  // namespace

absl::StatusOr<Literal> EvaluateReducePrecision(Evaluator&, const Instruction& inst,
                                                absl::Span<const Literal> operands) {
  ElementType type = inst.shape.element_type();
  std::vector<double> values(inst.shape.NumElements());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = ReducePrecision(type, operands[0].GetBits(i), inst.GetInt(Attr::kExponentBits),
                                inst.GetInt(Attr::kMantissaBits));
  }
  return EncodeFloats(inst.shape, values);
}

template <>
absl::StatusOr<Literal> EvaluateUnary<scalar::Real>(Evaluator&, const Instruction& inst,
                                                    absl::Span<const Literal> operands) {
  return PartOf(operands[0], 0, inst.shape);
}

template <>
absl::StatusOr<Literal> EvaluateUnary<scalar::Imag>(Evaluator&, const Instruction& inst,
                                                    absl::Span<const Literal> operands) {
  return PartOf(operands[0], 1, inst.shape);
}

template <>
absl::StatusOr<Literal> EvaluateBinary<scalar::Complex>(Evaluator&, const Instruction& inst,
                                                        absl::Span<const Literal> operands) {
  Literal to(inst.shape.WithDefaultLayout());
  const size_t width = StorageBytes(operands[0].shape().element_type());
  const absl::Span<std::byte> out = to.mutable_bytes();
  for (size_t at = 0; at < out.size(); at += 2 * width) {
    for (int part : {0, 1})
      std::copy_n(operands[part].bytes().data() + at / 2, width, out.data() + at + part * width);
  }
  return to;
}

}  // namespace halyard::hlo
