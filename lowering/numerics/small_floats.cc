#include "lowering/numerics/small_floats.h"

#include <bit>
#include <cmath>
#include <optional>

#include "lowering/numerics/intrinsic_names.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;
using Halide::select;
using Halide::Internal::Call;
using Halide::Internal::Reinterpret;
using hlo::ElementType;
using hlo::FloatFormat;

namespace {

Expr U32(uint32_t value) { return Expr(value); }
uint32_t FloatBits(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

int DroppedBits(const FloatFormat& f) { return 23 - f.mantissa_bits; }
double SmallestNormal(const FloatFormat& f) { return std::ldexp(1.0, 1 - f.bias); }
// Added to a denormal of the type, this leaves its bits at the low end of the sum's.
double DenormalMagic(const FloatFormat& f) {
  return std::ldexp(1.0, 1 - f.bias - f.mantissa_bits + 23);
}
uint32_t Magnitude(const FloatFormat& f) { return (1u << (f.exponent_bits + f.mantissa_bits)) - 1; }

// The bits of NaN without the sign, as hlo::EncodeFloat has them; types without NaN: what stands
// for it.
uint32_t NanBits(ElementType type) {
  return static_cast<uint32_t>(hlo::EncodeFloat(type, std::nan(""))) & 0xffff;
}
double MaxFinite(ElementType type) {
  const FloatFormat f = hlo::FormatOf(type);
  const bool top_row_is_special = f.nan == FloatFormat::Nan::kIeee;
  uint32_t code = Magnitude(f);
  if (top_row_is_special) code = (((1u << f.exponent_bits) - 1) << f.mantissa_bits) - 1;
  if (f.nan == FloatFormat::Nan::kAllOnes) --code;
  return hlo::DecodeFloat(type, code);
}

Expr RoundBits(const Expr& bits, int dropped) {
  Expr odd = (bits >> U32(dropped)) & U32(1);
  return (bits + U32((1u << (dropped - 1)) - 1) + odd) & U32(~((1u << dropped) - 1));
}

// f8E8M0FNU has the powers of two from 2^-127 (code 0) to 2^127, and no zero. No significand is
// even, so IEEE 754 (4.3.1) wants the larger neighbour of a tie.
Fp RoundToExponent(const Fp& x) {
  Expr bits = Bits(x) & U32(0x7fffffff);
  Expr low = select(bits >= U32(0x600000), U32(0x800000), U32(0x400000));
  Expr nearest = (bits + U32(0x400000)) & U32(0xff800000);
  Fp rounded = FromBits(select(bits < U32(0x800000), low, nearest));
  Expr negative = SignBit(x) != U32(0) && bits != U32(0);
  return Select(IsFinite(rounded) && IsFinite(x) && !negative, rounded, Nan(x));
}

// Halide's conversions, each of which is one instruction (TargetTraits::half_conversions). Its
// simplifier would round constants twice, hence Strictly. StrictCode takes LLVM's licences away.
Expr ToHalf(const Fp& x) { return cast(Halide::Float(16), Strictly(x).e); }
Fp FromHalf(const Expr& half) { return {cast(Halide::Float(32), half)}; }

// One conversion (TargetTraits::bf16_conversions): a word with zero as its low half is the value.
Fp RoundToBf16(const Fp& x) {
  return FromBits(Call::make(Halide::UInt(32), kRoundToBf16, {Expr(0.0f), x.e}, Call::PureExtern));
}
// Returns whether `bits` are what RoundToBf16 made: a NaN of it is one of bf16, too.
bool AreOfRoundToBf16(Expr bits) {
  while (const auto* same = bits.as<Reinterpret>()) bits = same->value;
  const auto* call = bits.as<Call>();
  return call != nullptr && call->name == kRoundToBf16;
}

}  // namespace

bool IsNarrowFloat(ElementType type) {
  return hlo::IsFloat(type) && type != ElementType::kF32 && type != ElementType::kF64;
}

Fp RoundToNarrow(ElementType type, const Fp& x) {
  const FloatFormat f = hlo::FormatOf(type);
  const bool by_instruction = type == ElementType::kBF16 && Traits().bf16_conversions;
  if (type == ElementType::kBF16 && !by_instruction)
    return Select(IsNan(x), x, FromBits(RoundBits(Bits(x), 16)));
  if (!f.has_sign) return RoundToExponent(x);
  if (const std::optional<double> constant = ConstantOf(x.e); constant.has_value())
    return x.Const(hlo::DecodeFloat(type, hlo::EncodeFloat(type, *constant)));
  if (by_instruction) return RoundToBf16(x);
  if (type == ElementType::kF16 && Traits().half_conversions) return FromHalf(ToHalf(x));
  Fp a = Abs(x);
  Fp normal = FromBits(RoundBits(Bits(a), DroppedBits(f)));
  Fp denormal = (a + DenormalMagic(f)) - DenormalMagic(f);
  Fp rounded = Select(Lt(a, SmallestNormal(f)), denormal, normal);
  const double max = MaxFinite(type);
  Fp over = x.Const(max);
  if (f.has_infinity) {
    over = Infinity(x);
  } else if (f.nan != FloatFormat::Nan::kNone) {
    over = Nan(x);
  }
  rounded = Select(Gt(rounded, max), over, rounded);
  if (f.nan == FloatFormat::Nan::kNegativeZero) {
    Fp result = Select(Eq(rounded, 0.0), rounded, CopySign(rounded, x));
    return Select(IsNan(x), Nan(x), result);
  }
  Fp nan = x;
  if (f.nan == FloatFormat::Nan::kNone) nan = x.Const(hlo::DecodeFloat(type, NanBits(type)));
  return Select(IsNan(x), nan, CopySign(rounded, x));
}

Fp RoundToOdd32(const Fp& x) {
  Fp nearest{cast(Halide::Float(32), x.e)};
  Fp a = Abs(x), b = Abs(Fp{cast(Halide::Float(64), nearest.e)});
  Expr bits = Bits(nearest);
  Expr even = (bits & U32(1)) == U32(0);
  // An even neighbour of an inexact value: the odd one is on the value's other side.
  Expr up = select(Lt(b, a), bits + U32(1), bits - U32(1));
  Expr inexact = Lt(a, b) || Lt(b, a);
  return FromBits(select(even && inexact, up, bits));
}

Expr EncodeNarrow(ElementType type, const Fp& x) {
  const FloatFormat f = hlo::FormatOf(type);
  if (type == ElementType::kBF16) {
    const Expr bits = Bits(x), high = bits >> U32(16);
    if (AreOfRoundToBf16(bits)) return cast(Halide::UInt(16), high);
    return cast(Halide::UInt(16), select(IsNan(x), high | U32(0x40), high));
  }
  const Halide::Type code_type = Halide::UInt(hlo::BitWidth(type) > 8 ? 16 : 8);
  if (type == ElementType::kF16 && Traits().half_conversions) {
    const auto* from = x.e.as<Halide::Internal::Cast>();
    const bool is_half = from != nullptr && from->value.type() == Halide::Float(16);
    return reinterpret(code_type, is_half ? from->value : ToHalf(x));
  }
  Expr magnitude = Bits(x) & U32(0x7fffffff);
  if (!f.has_sign) return cast(code_type, select(IsNan(x), U32(0xff), magnitude >> U32(23)));
  Expr normal = (magnitude >> U32(DroppedBits(f))) - U32((127 - f.bias) << f.mantissa_bits);
  Fp shifted = Abs(x) + DenormalMagic(f);
  Expr denormal = Bits(shifted) - U32(FloatBits(DenormalMagic(f)));
  Expr code = select(magnitude < U32(FloatBits(SmallestNormal(f))), denormal, normal);
  if (f.has_infinity) {
    code = select(magnitude == U32(FloatBits(HUGE_VAL)),
                  U32(((1u << f.exponent_bits) - 1) << f.mantissa_bits), code);
  }
  Expr sign = (Bits(x) >> U32(31)) << U32(f.exponent_bits + f.mantissa_bits);
  if (f.nan == FloatFormat::Nan::kNegativeZero)
    return cast(code_type, select(IsNan(x), U32(NanBits(type)), sign | code));
  if (f.nan != FloatFormat::Nan::kNone)
    code = select(IsNan(x), U32(NanBits(type) & Magnitude(f)), code);
  return cast(code_type, sign | code);
}

Fp DecodeNarrow(ElementType type, const Expr& bits) {
  const FloatFormat f = hlo::FormatOf(type);
  Expr code = cast(Halide::UInt(32), bits);
  if (type == ElementType::kBF16) return FromBits(code << U32(16));
  if (type == ElementType::kF16 && Traits().half_conversions)
    return FromHalf(reinterpret(Halide::Float(16), cast(Halide::UInt(16), bits)));
  const uint32_t nan = FloatBits(std::nan(""));
  if (!f.has_sign) {
    return FromBits(select(code == U32(0xff), U32(nan),
                           select(code == U32(0), U32(0x400000), code << U32(23))));
  }
  Expr magnitude = code & U32(Magnitude(f));
  Expr normal = (magnitude << U32(DroppedBits(f))) + U32((127u - f.bias) << 23);
  const double magic = DenormalMagic(f);
  Fp denormal = FromBits(magnitude + U32(FloatBits(magic))) - Fp{Expr(static_cast<float>(magic))};
  Expr value = select(magnitude < U32(1u << f.mantissa_bits), Bits(denormal), normal);
  const uint32_t infinity = FloatBits(HUGE_VAL);
  const uint32_t top = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
  if (f.nan == FloatFormat::Nan::kIeee) {
    value =
        select(magnitude >= U32(top), U32(infinity) | (magnitude << U32(DroppedBits(f))), value);
  } else if (f.nan == FloatFormat::Nan::kAllOnes) {
    value = select(magnitude == U32(Magnitude(f)), U32(nan), value);
  }
  Expr sign = (code >> U32(f.exponent_bits + f.mantissa_bits)) << U32(31);
  Expr result = value | sign;
  if (f.nan == FloatFormat::Nan::kNegativeZero) {
    result = select((code & U32(Magnitude(f) * 2 + 1)) == U32(Magnitude(f) + 1), U32(nan), result);
  }
  return FromBits(result);
}

}  // namespace halyard::lowering::numerics
