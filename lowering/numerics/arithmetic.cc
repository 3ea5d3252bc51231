#include "lowering/numerics/arithmetic.h"

#include <bit>
#include <cmath>
#include <optional>

#include "lowering/numerics/integer_ops.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;
using Halide::reinterpret;
using Halide::select;
using Halide::Type;

namespace {

std::optional<double> AsConstant(const Fp& x) {
  if (const auto* bits = x.e.as<Halide::Internal::Reinterpret>()) {
    if (!x.single() && Halide::Internal::is_const(bits->value)) {
      if (auto value = Halide::Internal::as_const_uint(bits->value))
        return std::bit_cast<double>(*value);
    }
  }
  return Halide::Internal::as_const_float(x.e);
}

bool IsPlusZero(const std::optional<double>& c) { return c && *c == 0 && !std::signbit(*c); }
bool IsMinusZero(const std::optional<double>& c) { return c && *c == 0 && std::signbit(*c); }
bool IsZero(const std::optional<double>& c) { return c && *c == 0; }
bool IsNumber(const std::optional<double>& c) { return c && !std::isnan(*c); }

// x + (+0): only -0 changes.
Fp AddPlusZero(const Fp& x) { return Select(Eq(x, 0.0), 0.0, x); }

Fp Signed(const Fp& magnitude, const Fp& x, double constant) {
  Fp result = CopySign(magnitude, x);
  return std::signbit(constant) ? Negate(result) : result;
}

// Whether an intrinsic is better than selects: it is one instruction. With a zero it is three, and
// LLVM takes much longer, because the intrinsic is called for each lane at first.
bool ByIntrinsic(double c) { return Traits().maxima && c != 0; }

Fp MaximumWith(const Fp& x, double c) {
  if (ByIntrinsic(c)) return OfLanes("llvm.maximum", {x, x.Const(c)});
  // The result is +0 if either zero is.
  Expr below = c == 0 && !std::signbit(c) ? Le(x, c) : Lt(x, c);
  // This is a comparison of its own, because LLVM turns the select alone into one that loses NaN.
  return Select(IsNan(x), x, Select(below, c, x));
}

Fp MinimumWith(const Fp& x, double c) {
  if (ByIntrinsic(c)) return OfLanes("llvm.minimum", {x, x.Const(c)});
  Expr above = c == 0 && std::signbit(c) ? Ge(x, c) : Gt(x, c);
  return Select(IsNan(x), x, Select(above, c, x));
}

// The bits of an unsigned value below its first 13 or more, folded into the lowest that stays.
Expr FoldLowBits(const Expr& v) {
  const Type type = v.type();
  auto constant = [&](uint64_t value) { return Halide::Internal::UIntImm::make(type, value); };
  auto below = [&](int bits) { return v < constant(uint64_t{1} << bits); };
  auto low = [&](int bits) { return constant((uint64_t{1} << bits) - 1); };
  Expr mask;
  if (type.bits() == 32) {
    mask = select(below(24), constant(0), low(12));
  } else {
    mask = select(below(24), constant(0), below(36), low(12), below(48), low(24), below(60),
                  low(36), low(48));
  }
  return (v | ((v & mask) + mask)) & ~mask;
}

}  // namespace

Fp Add(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsPlusZero(cb)) return AddPlusZero(a);
  if (IsPlusZero(ca)) return AddPlusZero(b);
  if (IsMinusZero(cb)) return a;
  if (IsMinusZero(ca)) return b;
  return a + b;
}

Fp Subtract(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsPlusZero(cb)) return a;
  if (IsMinusZero(cb)) return AddPlusZero(a);
  if (IsPlusZero(ca)) return Select(Eq(b, 0.0), 0.0, Negate(b));
  if (IsMinusZero(ca)) return Negate(b);
  return a - b;
}

Fp Multiply(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsZero(ca) && !cb) return Multiply(b, a);
  if (IsZero(cb)) return Select(IsFinite(a), Signed(a.Const(0.0), a, *cb), Nan(a));
  return a * b;
}

Fp Divide(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsZero(cb)) return Select(Eq(a, 0.0) || IsNan(a), Nan(a), Signed(Infinity(a), a, *cb));
  if (IsZero(ca)) return Select(Eq(b, 0.0) || IsNan(b), Nan(b), Signed(b.Const(0.0), b, *ca));
  return a / b;
}

Fp Maximum(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsNumber(cb)) return MaximumWith(a, *cb);
  if (IsNumber(ca)) return MaximumWith(b, *ca);
  Fp larger = Select(Lt(a, b) || IsNan(b), b, a);
  return Select(Eq(a, b), FromBits(Bits(a) & Bits(b)), larger);
}

Fp Minimum(const Fp& a, const Fp& b) {
  const auto ca = AsConstant(a), cb = AsConstant(b);
  if (IsNumber(cb)) return MinimumWith(a, *cb);
  if (IsNumber(ca)) return MinimumWith(b, *ca);
  Fp smaller = Select(Lt(b, a) || IsNan(b), b, a);
  return Select(Eq(a, b), FromBits(Bits(a) | Bits(b)), smaller);
}

Fp SignOf(const Fp& x) { return Select(IsNan(x) || Eq(x, 0.0), x, CopySign(x.Const(1.0), x)); }

namespace {

// Makes of a float's bits what is ordered as a signed integer, and the other way round: all bits
// but the sign of negative values are turned over.
Expr Reversed(const Fp& like, const Expr& bits) {
  const int width = like.type().bits();
  const Expr sign = reinterpret(like.int_type(), bits) >> (width - 1);
  return bits ^ LowBits(reinterpret(like.uint_type(), sign), width - 1);
}

// As many patterns are NaN with one sign. Shifted by them, the NaN at the wrong end of the order
// wraps to the other one.
Expr Nans(const Fp& like) { return UConst(like, (uint64_t{1} << like.mantissa_bits()) - 1); }

}  // namespace

Expr TotalOrderKey(const Fp& x) { return reinterpret(x.int_type(), Reversed(x, Bits(x))); }

Expr ExtremeKey(const Fp& x, bool greatest) {
  const Expr order = Reversed(x, Bits(x));
  return reinterpret(x.int_type(), greatest ? order - Nans(x) : order + Nans(x));
}

Fp OfExtremeKey(const Expr& key, bool greatest) {
  const Fp like{Halide::Internal::make_zero(Halide::Float(key.type().bits()))};
  const Expr shifted = reinterpret(like.uint_type(), key);
  return FromBits(Reversed(like, greatest ? shifted + Nans(like) : shifted - Nans(like)));
}

Expr ToInteger(const Fp& x, int bits, bool is_signed, bool is_within) {
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  const int width = bits < 8 ? 8 : bits;
  const Type type = is_signed ? Halide::Int(width) : Halide::UInt(width);
  const double least = is_signed ? -end : 0.0;
  const Type step = width >= 32 ? type : Halide::Int(32);
  if (is_within || (Traits().maxima && width < 32)) {
    Fp within = is_within ? x : Clamp(x, least, end - 1);
    // The select stands between the two conversions, which Halide would make one of otherwise, even
    // with a third to an unsigned type: that has no negative numbers.
    return cast(type, select(Eq(x, x), cast(step, within.e), Halide::Internal::make_zero(step)));
  }
  const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  Expr max = Halide::Internal::UIntImm::make(Halide::UInt(width), all),
       min = Halide::Internal::make_zero(type);
  if (is_signed) {
    max = Halide::Internal::IntImm::make(type, static_cast<int64_t>(all >> 1));
    min = Halide::Internal::IntImm::make(type, -static_cast<int64_t>(all >> 1) - 1);
  }
  // The conversion is undefined for values out of range, so it only receives values in range.
  Expr inside = Lt(x, end) && Lt(x.Const(least), x);
  Expr safe = Select(inside, x, 0.0).e;
  Expr converted = cast(type, cast(step, safe));
  Expr outside = select(Ge(x, end), max, Le(x, least), min, Halide::Internal::make_zero(type));
  return select(IsNan(x), Halide::Internal::make_zero(type), inside, converted, outside);
}

Fp FromInteger(const Expr& value, bool single, bool sticky) {
  const Type type = Halide::Float(single ? 32 : 64);
  // Up to 24 bits are exact.
  if (!sticky || value.type().bits() <= 16) return {cast(type, value)};
  if (value.type().is_uint()) return {cast(type, FoldLowBits(value))};
  Expr negative = value < Halide::Internal::make_zero(value.type());
  Expr unsigned_value = reinterpret(Halide::UInt(value.type().bits()), value);
  Expr magnitude =
      select(negative, reinterpret(Halide::UInt(value.type().bits()), WrappingNegate(value)),
             unsigned_value);
  Fp result{cast(type, FoldLowBits(magnitude))};
  return Select(negative, Negate(result), result);
}

}  // namespace halyard::lowering::numerics
