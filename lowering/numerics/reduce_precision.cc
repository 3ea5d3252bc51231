#include "lowering/numerics/reduce_precision.h"

#include <cmath>

#include "lowering/numerics/float_ops.h"
#include "lowering/numerics/small_floats.h"

namespace halyard::lowering::numerics {

using Halide::Expr;
using Halide::select;

Value ReducePrecision(const Value& x, int exponent_bits, int mantissa_bits) {
  const hlo::FloatFormat f = hlo::FormatOf(x.type);
  if (exponent_bits >= f.exponent_bits && mantissa_bits >= f.mantissa_bits) return x;
  // Works on the bits of the type itself, so that its denormals are rounded correctly.
  const Fp value{x.re};
  const bool narrow = IsNarrowFloat(x.type);
  Expr bits = narrow ? EncodeNarrow(x.type, value) : Bits(value);
  const Halide::Type type = narrow ? Halide::UInt(32) : bits.type();
  bits = Halide::cast(type, bits);
  auto constant = [&](uint64_t v) { return Halide::Internal::UIntImm::make(type, v); };
  const int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  const uint64_t mask = (uint64_t{1} << magnitude_bits) - 1;
  Expr magnitude = LowBits(bits, magnitude_bits);
  if (mantissa_bits < f.mantissa_bits) {
    const int dropped = f.mantissa_bits - mantissa_bits;
    Expr odd = (magnitude >> constant(dropped)) & constant(1);
    magnitude = magnitude + constant((uint64_t{1} << (dropped - 1)) - 1) + odd;
    magnitude = (magnitude >> constant(dropped)) << constant(dropped);
  }
  auto decode = [&](const Expr& code) {
    return narrow ? DecodeNarrow(x.type, code) : FromBits(code);
  };
  Fp rounded = decode(LowBits(magnitude, magnitude_bits));
  Expr over = magnitude > constant(mask) || !IsFinite(rounded);
  if (exponent_bits < f.exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    Expr exponent = Halide::cast(Halide::Int(32), magnitude >> constant(f.mantissa_bits)) - f.bias;
    over = over || exponent > bias;
    rounded = Select(exponent < 1 - bias, 0.0, rounded);
  }
  Fp result = CopySign(Select(over, Infinity(value), Abs(rounded)), value);
  if (narrow) result = RoundToNarrow(x.type, result);
  return {x.type, Select(IsFinite(value), result, value).e, {}};
}

}  // namespace halyard::lowering::numerics
