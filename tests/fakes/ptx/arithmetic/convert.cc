// cvt and cvta (PTX ISA 9.7.9.21, 9.7.9.20).
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

enum Rounding : uint8_t { kNearest, kZero, kDown, kUp, kAway };

// The parameters of a conversion, packed into Instruction::offset.
struct Plan {
  Type from, to;
  int from_width = 0, to_width = 0;  // register widths
  Rounding rounding = kNearest;
  bool integral = false;  // .rni …: rounds a float to an integer value of its type
  bool saturate = false, flush = false, relu = false;

  uint64_t Pack() const {
    const uint64_t parts[] = {uint64_t(from.kind), uint64_t(from.bits),  uint64_t(to.kind),
                              uint64_t(to.bits),   uint64_t(from_width), uint64_t(to_width)};
    uint64_t out = 0;
    for (uint64_t part : parts) out = out << 8 | part;
    return out << 8 | uint64_t{rounding} | uint64_t{integral} << 4 | uint64_t{saturate} << 5 |
           uint64_t{flush} << 6 | uint64_t{relu} << 7;
  }
  explicit Plan(uint64_t packed)
      : from{char(packed >> 48 & 0xff), int(packed >> 40 & 0xff)},
        to{char(packed >> 32 & 0xff), int(packed >> 24 & 0xff)},
        from_width(packed >> 16 & 0xff),
        to_width(packed >> 8 & 0xff),
        rounding(Rounding(packed & 0xf)),
        integral(packed >> 4 & 1),
        saturate(packed >> 5 & 1),
        flush(packed >> 6 & 1),
        relu(packed >> 7 & 1) {}
  Plan() = default;
};

uint64_t Load(Warp& warp, uint32_t offset, int width, int lane) {
  if (width == 16) return warp.Lanes<uint16_t>(offset)[lane];
  if (width == 32) return warp.Lanes<uint32_t>(offset)[lane];
  return warp.Lanes<uint64_t>(offset)[lane];
}
void Put(Warp& warp, uint32_t offset, int width, int lane, uint64_t value) {
  if (width == 16) {
    warp.Lanes<uint16_t>(offset)[lane] = static_cast<uint16_t>(value);
  } else if (width == 32) {
    warp.Lanes<uint32_t>(offset)[lane] = static_cast<uint32_t>(value);
  } else {
    warp.Lanes<uint64_t>(offset)[lane] = value;
  }
}

uint64_t Extend(uint64_t value, Type type) {
  const int shift = 64 - type.bits;
  if (type.kind == 's') return static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift);
  return value << shift >> shift;
}

double RoundInteger(double x, Rounding rounding) {
  switch (rounding) {
    case kZero:
      return std::trunc(x);
    case kDown:
      return std::floor(x);
    case kUp:
      return std::ceil(x);
    default:
      return std::nearbyint(x);
  }
}

double Limit(Type type, bool high) {
  if (!high) return type.kind == 's' ? -std::ldexp(1.0, type.bits - 1) : 0;
  return std::ldexp(1.0, type.kind == 's' ? type.bits - 1 : type.bits);  // the first too large one
}

// Clamps values out of range. NaN gives 0, or 1 << (bits - 1) for .f64 sources and 64-bit results.
uint64_t FloatToInteger(double x, const Plan& plan) {
  const Type to = plan.to;
  if (std::isnan(x)) {
    const bool zero = plan.from.bits != 64 && to.bits != 64;
    return Extend(zero ? 0 : uint64_t{1} << (to.bits - 1), to);
  }
  x = RoundInteger(x, plan.rounding);
  if (x < Limit(to, false)) {
    return to.kind == 's' ? Extend(uint64_t{1} << (to.bits - 1), to) : 0;
  }
  if (x >= Limit(to, true)) {
    return Extend((to.kind == 's' ? uint64_t{1} << (to.bits - 1) : uint64_t{0}) - 1, to);
  }
  return to.kind == 's' ? static_cast<uint64_t>(static_cast<int64_t>(x)) : static_cast<uint64_t>(x);
}

class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD,
                                     FE_TONEAREST};
    std::fesetround(kModes[rounding]);
  }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
};

// Rounds in the current rounding mode. noinline keeps the rounding between the changes of the mode.
template <typename To, typename From>
[[gnu::noinline]] To RoundTo(From value) {
  volatile From from = value;
  volatile To to = static_cast<To>(from);
  return to;
}

template <typename From>
uint64_t ToFloatBits(From value, const Plan& plan) {
  const bool to_zero = plan.rounding == kZero;
  switch (plan.to.kind) {
    case 'B':
      if constexpr (std::is_same_v<From, double>) {
        return FloatToBf16(to_zero ? RoundTo<float>(value) : DoubleToFloatOdd(value), to_zero);
      }
      return FloatToBf16(static_cast<float>(value), to_zero);
    case 'T': {  // tf32: 10 bits of mantissa; .rna or .rn
      uint32_t bits = BitsAs<uint32_t>(static_cast<float>(value));
      if (std::isnan(static_cast<float>(value))) return 0x7fffffff;
      if (to_zero) return bits & ~0x1fffu;
      bits += plan.rounding == kAway ? 0x1000 : 0xfff + (bits >> 13 & 1);
      return bits & ~0x1fffu;
    }
    default:
      break;
  }
  // Integers beyond 2^53 are infinite as f16, so it does not matter that double drops bits of them.
  if (plan.to.bits == 16) return DoubleToHalf(static_cast<double>(value), to_zero);
  RoundingScope scope(plan.rounding);
  if (plan.to.bits == 32) {
    const float result = RoundTo<float>(value);
    return std::isnan(result) ? 0x7fffffff : BitsAs<uint32_t>(result);
  }
  return BitsAs<uint64_t>(RoundTo<double>(value));
}

double SourceFloat(uint64_t bits, Type type) {
  if (type.kind == 'B') return Bf16ToFloat(static_cast<uint16_t>(bits));
  if (type.bits == 16) return HalfToFloat(static_cast<uint16_t>(bits));
  if (type.bits == 32) return BitsAs<float>(static_cast<uint32_t>(bits));
  return BitsAs<double>(bits);
}

uint64_t FloatToFloat(double x, const Plan& plan) {
  if (plan.flush && std::fabs(x) < std::numeric_limits<float>::min()) x = std::copysign(0.0, x);
  if (plan.integral) x = RoundInteger(x, plan.rounding);
  if (plan.saturate) x = x > 0 ? std::fmin(x, 1.0) : 0.0;
  if (plan.relu && x < 0) x = 0;
  Plan rounding = plan;
  if (plan.integral) rounding.rounding = kNearest;
  return ToFloatBits(x, rounding);
}

uint64_t IntegerToInteger(uint64_t bits, const Plan& plan) {
  uint64_t value = Extend(bits, plan.from);
  if (plan.saturate) {
    const bool negative = plan.from.kind == 's' && static_cast<int64_t>(value) < 0;
    const bool to_signed = plan.to.kind == 's';
    const uint64_t high = to_signed ? (uint64_t{1} << (plan.to.bits - 1)) - 1
                                    : Extend(~uint64_t{0}, Type{'u', plan.to.bits});
    const int64_t low =
        to_signed ? static_cast<int64_t>(Extend(uint64_t{1} << (plan.to.bits - 1), plan.to)) : 0;
    if (negative) {
      if (static_cast<int64_t>(value) < low) value = static_cast<uint64_t>(low);
    } else if (value > high) {
      value = high;
    }
  }
  return Extend(value, plan.to);
}

void Convert(Warp& warp, const Instruction& i, uint32_t mask) {
  const Plan plan(static_cast<uint64_t>(i.offset));
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const uint64_t bits = Load(warp, i.a, plan.from_width, lane);
    uint64_t result;
    if (!plan.from.IsInteger()) {
      const double x = SourceFloat(bits, plan.from);
      result = plan.to.IsInteger() ? FloatToInteger(x, plan) : FloatToFloat(x, plan);
    } else if (plan.to.IsInteger()) {
      result = IntegerToInteger(bits, plan);
    } else if (plan.from.kind == 's') {
      result = ToFloatBits(static_cast<int64_t>(Extend(bits, plan.from)), plan);
    } else {
      result = ToFloatBits(Extend(bits, plan.from), plan);
    }
    Put(warp, i.dst, plan.to_width, lane, result);
  }
}

// Handles the most frequent conversions: between integer registers, without saturation.
template <typename From, typename To>
void ConvertFast(Warp& warp, const Instruction& i, uint32_t mask) {
  const Plan plan(static_cast<uint64_t>(i.offset));
  const Type from = plan.from, to = plan.to;
  Map1<To, From>(warp, i, mask,
                 [=](From a) { return static_cast<To>(Extend(Extend(a, from), to)); });
}
Handler FastHandler(const Plan& plan) {
  const int key = plan.from_width * 100 + plan.to_width;
  switch (key) {
    case 1616:
      return ConvertFast<uint16_t, uint16_t>;
    case 1632:
      return ConvertFast<uint16_t, uint32_t>;
    case 1664:
      return ConvertFast<uint16_t, uint64_t>;
    case 3216:
      return ConvertFast<uint32_t, uint16_t>;
    case 3232:
      return ConvertFast<uint32_t, uint32_t>;
    case 3264:
      return ConvertFast<uint32_t, uint64_t>;
    case 6416:
      return ConvertFast<uint64_t, uint16_t>;
    case 6432:
      return ConvertFast<uint64_t, uint32_t>;
    default:
      return ConvertFast<uint64_t, uint64_t>;
  }
}

// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
void ConvertPair(Warp& warp, const Instruction& i, uint32_t mask) {
  Plan plan(static_cast<uint64_t>(i.offset));
  plan.to = Type{plan.to.kind == 'h' ? 'f' : 'B', 16};
  const float* a = warp.Lanes<float>(i.a);
  const float* b = warp.Lanes<float>(i.b);
  uint32_t out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    out[lane] =
        static_cast<uint32_t>(FloatToFloat(a[lane], plan) << 16 | FloatToFloat(b[lane], plan));
  }
  Store(warp, i.dst, mask, out);
}

// cvt.rn.f16x2.e4m3x2 d, a: both conversions are exact.
void ConvertFromBytes(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint16_t* a = warp.Lanes<uint16_t>(i.a);
  uint32_t out[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    out[lane] = 0;
    for (int part : {0, 1}) {
      const auto byte = static_cast<uint8_t>(a[lane] >> 8 * part);
      const float value = i.mode == 4 ? E4m3ToFloat(byte) : E5m2ToFloat(byte);
      out[lane] |= uint32_t{DoubleToHalf(value)} << 16 * part;
    }
  }
  Store(warp, i.dst, mask, out);
}

void DecodeCvt(Decoder& d, Instruction* out) {
  Plan plan;
  const int rounding = d.TakeOneOf({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  plan.integral = rounding >= 5;
  plan.rounding = rounding < 0 ? kNearest : Rounding(rounding >= 5 ? rounding - 5 : rounding);
  plan.relu = d.Take("relu");
  plan.flush = d.Take("ftz");
  plan.saturate = d.Take("sat");
  plan.to = d.TakeType();
  plan.from = d.TakeType();
  const auto of_bytes = [](Type t) { return t.kind == '4' || t.kind == '5'; };
  if (of_bytes(plan.from) || of_bytes(plan.to)) {
    if (plan.from.bits != 16 || plan.to.kind != 'h' || rounding != 0 || plan.flush ||
        plan.saturate || plan.relu)
      d.Fail("unknown types");
    out->mode = static_cast<uint8_t>(plan.from.kind - '0');
    out->dst = d.Destination(32);
    out->a = d.Source(Type{'b', 16});
    out->run = ConvertFromBytes;
    return;
  }
  const auto is_float = [](Type t) { return !t.IsInteger() && t.kind != 'p'; };
  const bool to_float = is_float(plan.to), from_float = is_float(plan.from);
  if (plan.to.kind == 'p' || plan.from.kind == 'p' || plan.from.kind == 'T' ||
      plan.from.kind == 'h' || plan.from.kind == 'H') {
    d.Fail("unknown types");
  }
  // Checks that exactly the conversions that round have a rounding modifier.
  const bool pair = plan.to.kind == 'h' || plan.to.kind == 'H';
  const bool narrows =
      to_float && from_float && (plan.to.bits < plan.from.bits || pair || plan.to.kind == 'T');
  const bool needs = (to_float != from_float) || narrows;
  if (needs && rounding < 0) d.Fail("no rounding");
  if (!needs && rounding >= 0 && !plan.integral) d.Fail("a rounding that has no use");
  if (from_float && !to_float && !plan.integral) d.Fail("rounds to an integer");
  if (plan.integral && (!from_float || (to_float && narrows))) d.Fail("unknown rounding");
  if ((plan.rounding == kAway) != (rounding == 4)) d.Fail("unknown rounding");
  if (rounding == 4 && plan.to.kind != 'T') d.Fail(".rna is for tf32");
  if (plan.relu && !narrows) d.Fail("unknown .relu");
  const bool half = plan.to.bits == 16 || pair || plan.to.kind == 'T';
  if (half && to_float && (plan.rounding == kDown || plan.rounding == kUp) && !plan.integral) {
    d.Fail("unknown rounding");
  }
  if (plan.flush && plan.from.bits != 32) d.Fail("unknown .ftz");
  if (pair) {
    if (plan.from.bits != 32 || !from_float) d.Fail("unknown types");
    out->dst = d.Destination(32);
    out->a = d.Source(plan.from);
    out->b = d.Source(plan.from);
    out->run = ConvertPair;
  } else {
    // 9.7.9.21: registers may be wider than integer types.
    const std::string to = d.TakeText(), from = d.TakeText();
    out->dst = d.Wide(to, plan.to.bits, &plan.to_width);
    if (d.FindRegister(from) != nullptr) {
      out->a = d.Wide(from, plan.from.bits, &plan.from_width);
    } else {
      out->a = d.SourceAt(from, Type{plan.from.kind, std::max(plan.from.bits, 16)});
      plan.from_width = std::max(plan.from.bits, 16);
    }
    if ((to_float && plan.to_width != plan.to.bits) ||
        (from_float && plan.from_width != plan.from.bits) || plan.to_width == 1 ||
        plan.from_width == 1) {
      d.Fail("a register is too wide");
    }
    plan.to_width = std::max(plan.to_width, 16);  // .b8 registers also take 16 bits
    plan.from_width = std::max(plan.from_width, 16);
    out->run = !to_float && !from_float && !plan.saturate ? FastHandler(plan) : Convert;
  }
  out->offset = static_cast<int64_t>(plan.Pack());
}

// Converts to a generic address: those of shared and local memory lie in windows.
void AddWindow(Warp& warp, const Instruction& i, uint32_t mask) {
  Map1<uint64_t, uint64_t>(warp, i, mask,
                           [w = static_cast<uint64_t>(i.offset)](uint64_t a) { return a + w; });
}

}  // namespace

bool DecodeConvert(Decoder& d, Instruction* out) {
  if (d.name() == "cvt") {
    DecodeCvt(d, out);
    return true;
  }
  if (d.name() != "cvta") return false;
  const bool to = d.Take("to");
  const int space = d.TakeOneOf({"global", "shared", "local", "const", "param"});
  if (space < 0 || space == 4) d.Fail("unknown space");
  const Type type = d.TakeType();
  if (!type.Is("u64")) d.Fail("unknown type");
  const uint64_t window = space == 1 ? kSharedWindow : space == 2 ? kLocalWindow : 0;
  out->offset = static_cast<int64_t>(to ? 0 - window : window);
  Operands(d, type, 1, out);
  out->run = AddWindow;
  return true;
}

}  // namespace halyard::testing::ptx
