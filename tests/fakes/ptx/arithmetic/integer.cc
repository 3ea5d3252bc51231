// Integer arithmetic (PTX ISA 9.7.1).
#include <limits>

#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
// A type that holds every product and sum, so that nothing overflows in C++.
template <typename T>
using Wide =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <typename T>
T Add(T a, T b) {
  return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b));
}
template <typename T>
T Sub(T a, T b) {
  return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b));
}
template <typename T>
T MulLow(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <typename T>
T MulHigh(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> (8 * sizeof(T)));
}
template <typename T>
T MadLow(T a, T b, T c) {
  return Add(MulLow(a, b), c);
}
template <typename T>
T MadHigh(T a, T b, T c) {
  return Add(MulHigh(a, b), c);
}
template <typename T>
T Saturate(Wide<T> value) {
  const Wide<T> low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}
template <typename T>
T AddSat(T a, T b) {
  return Saturate<T>(Wide<T>(a) + Wide<T>(b));
}
template <typename T>
T SubSat(T a, T b) {
  return Saturate<T>(Wide<T>(a) - Wide<T>(b));
}
// 9.7.1.8: the result of a division by zero is unspecified. Here it is all ones, on which no
// program should rely.
template <typename T>
T Div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  return static_cast<T>(static_cast<Wide<T>>(a) / static_cast<Wide<T>>(b));
}
template <typename T>
T Rem(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  return static_cast<T>(static_cast<Wide<T>>(a) % static_cast<Wide<T>>(b));
}
template <typename T>
T Neg(T a) {
  return static_cast<T>(Unsigned<T>{0} - Unsigned<T>(a));
}
template <typename T>
T Abs(T a) {
  return a < 0 ? Neg(a) : a;
}
template <typename T>
T Min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T Max(T a, T b) {
  return a < b ? b : a;
}
template <typename T>
T Sad(T a, T b, T c) {
  return Add(
      c, static_cast<T>(a < b ? Unsigned<T>(b) - Unsigned<T>(a) : Unsigned<T>(a) - Unsigned<T>(b)));
}

template <typename T, typename W>
void MulWide(Warp& warp, const Instruction& i, uint32_t mask) {
  Map2<W, T, T>(warp, i, mask, [](T a, T b) {
    return static_cast<W>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  });
}
template <typename T, typename W>
void MadWide(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<W, T, T, W>(warp, i, mask, [](T a, T b, W c) {
    return Add(static_cast<W>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)), c);
  });
}

#define HY_BINARY(F)                                                                              \
  (type.kind == 's' ? ByBits(type.bits, Binary<int16_t, F<int16_t>>, Binary<int32_t, F<int32_t>>, \
                             Binary<int64_t, F<int64_t>>)                                         \
                    : ByBits(type.bits, Binary<uint16_t, F<uint16_t>>,                            \
                             Binary<uint32_t, F<uint32_t>>, Binary<uint64_t, F<uint64_t>>))
#define HY_TERNARY(F)                                                                    \
  (type.kind == 's' ? ByBits(type.bits, Ternary<int16_t, F<int16_t>>,                    \
                             Ternary<int32_t, F<int32_t>>, Ternary<int64_t, F<int64_t>>) \
                    : ByBits(type.bits, Ternary<uint16_t, F<uint16_t>>,                  \
                             Ternary<uint32_t, F<uint32_t>>, Ternary<uint64_t, F<uint64_t>>))

// Decodes mul and mad with .lo, .hi or .wide.
void DecodeProduct(Decoder& d, int part, Instruction* out) {
  const bool mad = d.name() == "mad";
  const bool saturate = mad && part == 1 && d.Take("sat");
  const Type type = d.TakeType();
  if (!type.IsInteger() || type.kind == 'b') d.Fail("unknown type");
  if (saturate) d.Fail("mad.hi.sat is not known here");
  if (part != 2) {
    Operands(d, type, mad ? 3 : 2, out);
    out->run = mad ? (part == 0 ? HY_TERNARY(MadLow) : HY_TERNARY(MadHigh))
                   : (part == 0 ? HY_BINARY(MulLow) : HY_BINARY(MulHigh));
    return;
  }
  const Type wide{type.kind, type.bits * 2};
  if (type.bits > 32) d.Fail("too wide");
  out->dst = d.Destination(wide.bits);
  out->a = d.Source(type);
  out->b = d.Source(type);
  const bool is_signed = type.kind == 's';
  if (mad) {
    out->c = d.Source(wide);
    out->run = type.bits == 16
                   ? (is_signed ? MadWide<int16_t, int32_t> : MadWide<uint16_t, uint32_t>)
                   : (is_signed ? MadWide<int32_t, int64_t> : MadWide<uint32_t, uint64_t>);
  } else {
    out->run = type.bits == 16
                   ? (is_signed ? MulWide<int16_t, int32_t> : MulWide<uint16_t, uint32_t>)
                   : (is_signed ? MulWide<int32_t, int64_t> : MulWide<uint32_t, uint64_t>);
  }
}

// dp4a (9.7.1.22): sums four products of bytes and c.
template <typename A, typename B>
void Dp4a(Warp& warp, const Instruction& i, uint32_t mask) {
  Map3<uint32_t, uint32_t, uint32_t, uint32_t>(
      warp, i, mask, [](uint32_t a, uint32_t b, uint32_t c) {
        for (int k = 0; k < 4; ++k) {
          c += static_cast<uint32_t>(static_cast<int32_t>(static_cast<A>(a >> 8 * k)) *
                                     static_cast<int32_t>(static_cast<B>(b >> 8 * k)));
        }
        return c;
      });
}

bool IsIntegerType(const std::string& part) {
  const std::optional<Type> type = ParseType(part);
  return type && (type->kind == 's' || type->kind == 'u' || type->kind == 'b');
}

}  // namespace

bool DecodeInteger(Decoder& d, Instruction* out) {
  const std::string& name = d.name();
  if (name == "mul" || name == "mad") {
    const int part = d.TakeOneOf({"lo", "hi", "wide"});
    if (part < 0) return false;
    DecodeProduct(d, part, out);
    return true;
  }
  if (name == "dp4a") {
    const Type a = d.TakeType(), b = d.TakeType();
    if (a.bits != 32 || b.bits != 32) d.Fail("unknown type");
    Operands(d, a, 3, out);
    const bool sa = a.kind == 's', sb = b.kind == 's';
    out->run = sa ? (sb ? Dp4a<int8_t, int8_t> : Dp4a<int8_t, uint8_t>)
                  : (sb ? Dp4a<uint8_t, int8_t> : Dp4a<uint8_t, uint8_t>);
    return true;
  }
  const bool two = name == "add" || name == "sub" || name == "div" || name == "rem" ||
                   name == "min" || name == "max";
  const bool one = name == "neg" || name == "abs";
  if (!two && !one && name != "sad") return false;
  const bool saturate = d.Peek() == "sat" && d.statement().opcode.size() == 3 &&
                        IsIntegerType(d.statement().opcode[2]);
  if (!saturate && !IsIntegerType(d.Peek())) return false;
  if (saturate) d.SkipModifier();
  const Type type = d.TakeType();
  if (type.kind == 'b' || type.bits < 16) d.Fail("unknown type");
  Operands(d, type, one ? 1 : two ? 2 : 3, out);
  if (one) {
    if (type.kind != 's') d.Fail("unknown type");
    out->run = name == "neg" ? ByBits(type.bits, Unary<int16_t, Neg<int16_t>>,
                                      Unary<int32_t, Neg<int32_t>>, Unary<int64_t, Neg<int64_t>>)
                             : ByBits(type.bits, Unary<int16_t, Abs<int16_t>>,
                                      Unary<int32_t, Abs<int32_t>>, Unary<int64_t, Abs<int64_t>>);
  } else if (saturate) {
    if (!type.Is("s32") || (name != "add" && name != "sub")) d.Fail("unknown .sat");
    out->run = name == "add" ? Binary<int32_t, AddSat<int32_t>> : Binary<int32_t, SubSat<int32_t>>;
  } else if (name == "add") {
    out->run = HY_BINARY(Add);
  } else if (name == "sub") {
    out->run = HY_BINARY(Sub);
  } else if (name == "div") {
    out->run = HY_BINARY(Div);
  } else if (name == "rem") {
    out->run = HY_BINARY(Rem);
  } else if (name == "min") {
    out->run = HY_BINARY(Min);
  } else if (name == "max") {
    out->run = HY_BINARY(Max);
  } else {
    out->run = HY_TERNARY(Sad);
  }
  return true;
}

}  // namespace halyard::testing::ptx
