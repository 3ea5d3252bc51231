// Floating-point arithmetic (PTX ISA 9.7.3 to 9.7.5). This file is compiled without floating-point
// contraction.
#include <xmmintrin.h>

#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/fakes/ptx/half.h"
#include "tests/fakes/ptx/ops.h"

namespace halyard::testing::ptx {
namespace {

// 9.7.3: NaN results of .f32 instructions are 0x7fffffff. Those of .f64 instructions keep their
// payloads.
inline float Canonical(float x) { return std::isnan(x) ? BitsAs<float>(0x7fffffffu) : x; }
inline double Canonical(double x) { return x; }

template <typename T>
T Add(T a, T b) {
  return Canonical(a + b);
}
template <typename T>
T Sub(T a, T b) {
  return Canonical(a - b);
}
template <typename T>
T Mul(T a, T b) {
  return Canonical(a * b);
}
template <typename T>
T Div(T a, T b) {
  return Canonical(a / b);
}
template <typename T>
T Fma(T a, T b, T c) {
  return Canonical(std::fma(a, b, c));
}
template <typename T>
T Sqrt(T a) {
  return Canonical(std::sqrt(a));
}
template <typename T>
T Rcp(T a) {
  return Canonical(T{1} / a);
}
// The .approx functions. Results on a GPU lie within a few ulps of these.
template <typename T>
T Rsqrt(T a) {
  return Canonical(static_cast<T>(1 / std::sqrt(double(a))));
}
template <typename T>
T Ex2(T a) {
  return Canonical(std::exp2(a));
}
template <typename T>
T Lg2(T a) {
  return Canonical(std::log2(a));
}
template <typename T>
T Sin(T a) {
  return Canonical(std::sin(a));
}
template <typename T>
T Cos(T a) {
  return Canonical(std::cos(a));
}
template <typename T>
T Tanh(T a) {
  return Canonical(std::tanh(a));
}

// -0 is less than +0. If one operand is NaN, the result is the other operand, or NaN with .NaN.
template <typename T>
T Min(T a, T b) {
  if (std::isnan(a)) return std::isnan(b) ? Canonical(a) : b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
T Max(T a, T b) {
  if (std::isnan(a)) return std::isnan(b) ? Canonical(a) : b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
template <typename T>
T MinNan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? Canonical(std::numeric_limits<T>::quiet_NaN())
                                        : Min(a, b);
}
template <typename T>
T MaxNan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? Canonical(std::numeric_limits<T>::quiet_NaN())
                                        : Max(a, b);
}

// Negation only flips the sign bit.
template <typename T, T kSign>
T Neg(T a) {
  return a ^ kSign;
}
template <typename T, T kSign>
T Abs(T a) {
  return a & static_cast<T>(~kSign);
}
// copysign: returns the value of b with the sign of a.
template <typename T, T kSign>
T CopySign(T a, T b) {
  return static_cast<T>((a & kSign) | (b & static_cast<T>(~kSign)));
}

// Sums and products of two f16 values are exact in double. Those of bf16 may be inexact, and are
// then first rounded to odd.
struct F16 {
  static float Load(uint16_t bits) { return HalfToFloat(bits); }
  static uint16_t Round(double value) { return DoubleToHalf(value); }
};
struct B16 {
  static float Load(uint16_t bits) { return Bf16ToFloat(bits); }
  static uint16_t Round(double value) { return FloatToBf16(DoubleToFloatOdd(value)); }
};
template <typename H>
uint16_t HalfAdd(uint16_t a, uint16_t b) {
  return H::Round(AddToOdd(H::Load(a), H::Load(b)));
}
template <typename H>
uint16_t HalfSub(uint16_t a, uint16_t b) {
  return H::Round(AddToOdd(H::Load(a), -double{H::Load(b)}));
}
template <typename H>
uint16_t HalfMul(uint16_t a, uint16_t b) {
  return H::Round(double{H::Load(a)} * H::Load(b));
}
template <typename H>
uint16_t HalfFma(uint16_t a, uint16_t b, uint16_t c) {
  return H::Round(AddToOdd(double{H::Load(a)} * H::Load(b), H::Load(c)));
}
template <typename H>
uint16_t HalfMin(uint16_t a, uint16_t b) {
  return H::Round(Min<double>(H::Load(a), H::Load(b)));
}
template <typename H>
uint16_t HalfMax(uint16_t a, uint16_t b) {
  return H::Round(Max<double>(H::Load(a), H::Load(b)));
}
template <typename H>
uint16_t HalfMinNan(uint16_t a, uint16_t b) {
  return H::Round(MinNan<double>(H::Load(a), H::Load(b)));
}
template <typename H>
uint16_t HalfMaxNan(uint16_t a, uint16_t b) {
  return H::Round(MaxNan<double>(H::Load(a), H::Load(b)));
}
template <typename H>
uint16_t HalfEx2(uint16_t a) {
  return H::Round(std::exp2(double{H::Load(a)}));
}
template <typename H>
uint16_t HalfTanh(uint16_t a) {
  return H::Round(std::tanh(double{H::Load(a)}));
}
// Applies F to both halves of a word.
template <uint16_t (*F)(uint16_t)>
uint32_t Both(uint32_t a) {
  return F(static_cast<uint16_t>(a)) | uint32_t{F(static_cast<uint16_t>(a >> 16))} << 16;
}
template <uint16_t (*F)(uint16_t, uint16_t)>
uint32_t Both(uint32_t a, uint32_t b) {
  return F(static_cast<uint16_t>(a), static_cast<uint16_t>(b)) |
         uint32_t{F(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16))} << 16;
}
template <uint16_t (*F)(uint16_t, uint16_t, uint16_t)>
uint32_t Both(uint32_t a, uint32_t b, uint32_t c) {
  return F(static_cast<uint16_t>(a), static_cast<uint16_t>(b), static_cast<uint16_t>(c)) |
         uint32_t{F(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16),
                    static_cast<uint16_t>(c >> 16))}
             << 16;
}

// Runs `inner` with another rounding mode, .ftz (9.7.3: subnormal inputs and results of .f32 become
// zeros of the same sign) or .sat (results are clamped to [0, 1], NaN becomes 0).
constexpr uint8_t kFlush = 4, kSaturate = 8;
void Adjusted(Warp& warp, const Instruction& i, uint32_t mask) {
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const unsigned control = _mm_getcsr();
  std::fesetround(kModes[i.mode & 3]);
  if ((i.mode & kFlush) != 0) _mm_setcsr(_mm_getcsr() | 0x8040);
  i.inner(warp, i, mask);
  std::fesetround(FE_TONEAREST);
  _mm_setcsr(control);
  if ((i.mode & kSaturate) == 0) return;
  float* out = warp.Lanes<float>(i.dst);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((mask >> lane & 1) != 0) out[lane] = out[lane] > 0 ? std::fmin(out[lane], 1.0f) : 0.0f;
  }
}

struct Row {
  const char* name;
  int sources;
  bool rounded;  // has a rounding modifier, .rn …; else .approx, or nothing
  Handler f32, f64, f16, f16x2, bf16, bf16x2;
};
#define HY_HALVES1(F)                                                              \
  Unary<uint16_t, F<F16>>, Unary<uint32_t, Both<F<F16>>>, Unary<uint16_t, F<B16>>, \
      Unary<uint32_t, Both<F<B16>>>
#define HY_HALVES2(F)                                                                 \
  Binary<uint16_t, F<F16>>, Binary<uint32_t, Both<F<F16>>>, Binary<uint16_t, F<B16>>, \
      Binary<uint32_t, Both<F<B16>>>
#define HY_HALVES3(F)                                                                    \
  Ternary<uint16_t, F<F16>>, Ternary<uint32_t, Both<F<F16>>>, Ternary<uint16_t, F<B16>>, \
      Ternary<uint32_t, Both<F<B16>>>
#define HY_SIGN(H, F)                                                                 \
  H<uint32_t, F<uint32_t, 0x80000000u>>, H<uint64_t, F<uint64_t, uint64_t{1} << 63>>, \
      H<uint16_t, F<uint16_t, 0x8000>>, H<uint32_t, F<uint32_t, 0x80008000u>>,        \
      H<uint16_t, F<uint16_t, 0x8000>>, H<uint32_t, F<uint32_t, 0x80008000u>>
constexpr Handler kNone = nullptr;

const Row kRows[] = {
    {"add", 2, true, Binary<float, Add>, Binary<double, Add>, HY_HALVES2(HalfAdd)},
    {"sub", 2, true, Binary<float, Sub>, Binary<double, Sub>, HY_HALVES2(HalfSub)},
    {"mul", 2, true, Binary<float, Mul>, Binary<double, Mul>, HY_HALVES2(HalfMul)},
    {"fma", 3, true, Ternary<float, Fma>, Ternary<double, Fma>, HY_HALVES3(HalfFma)},
    {"mad", 3, true, Ternary<float, Fma>, Ternary<double, Fma>, kNone, kNone, kNone, kNone},
    {"div", 2, true, Binary<float, Div>, Binary<double, Div>, kNone, kNone, kNone, kNone},
    {"sqrt", 1, true, Unary<float, Sqrt>, Unary<double, Sqrt>, kNone, kNone, kNone, kNone},
    {"rcp", 1, true, Unary<float, Rcp>, Unary<double, Rcp>, kNone, kNone, kNone, kNone},
    {"rsqrt", 1, true, Unary<float, Rsqrt>, Unary<double, Rsqrt>, kNone, kNone, kNone, kNone},
    {"ex2", 1, true, Unary<float, Ex2>, kNone, HY_HALVES1(HalfEx2)},
    {"lg2", 1, true, Unary<float, Lg2>, kNone, kNone, kNone, kNone, kNone},
    {"sin", 1, true, Unary<float, Sin>, kNone, kNone, kNone, kNone, kNone},
    {"cos", 1, true, Unary<float, Cos>, kNone, kNone, kNone, kNone, kNone},
    {"tanh", 1, true, Unary<float, Tanh>, kNone, HY_HALVES1(HalfTanh)},
    {"min", 2, false, Binary<float, Min>, Binary<double, Min>, HY_HALVES2(HalfMin)},
    {"max", 2, false, Binary<float, Max>, Binary<double, Max>, HY_HALVES2(HalfMax)},
    {"min.NaN", 2, false, Binary<float, MinNan>, kNone, HY_HALVES2(HalfMinNan)},
    {"max.NaN", 2, false, Binary<float, MaxNan>, kNone, HY_HALVES2(HalfMaxNan)},
    {"neg", 1, false, HY_SIGN(Unary, Neg)},
    {"abs", 1, false, HY_SIGN(Unary, Abs)},
    {"copysign", 2, false, HY_SIGN(Binary, CopySign)},
};

Handler OfType(const Row& row, Type type) {
  switch (type.kind) {
    case 'f':
      return type.bits == 16 ? row.f16 : type.bits == 32 ? row.f32 : row.f64;
    case 'h':
      return row.f16x2;
    case 'B':
      return row.bf16;
    case 'H':
      return row.bf16x2;
    default:
      return nullptr;
  }
}

bool IsFloat(Type type) {
  return type.kind == 'f' || type.kind == 'h' || type.kind == 'B' || type.kind == 'H';
}

}  // namespace

bool DecodeFloat(Decoder& d, Instruction* out) {
  std::string name = d.name();
  const std::optional<Type> last = ParseType(d.statement().opcode.back());
  if (!last || !IsFloat(*last)) return false;
  const Row* row = nullptr;
  for (const Row& r : kRows) {
    if (r.name == name) row = &r;
  }
  if (row == nullptr) return false;
  int rounding = -1;
  bool approximate = false;
  if (row->rounded) {
    rounding = d.TakeOneOf({"rn", "rz", "rm", "rp"});
    if (rounding < 0) approximate = d.Take("approx") || d.Take("full");
  }
  const bool flush = d.Take("ftz");
  if (d.Peek() == "NaN" && (name == "min" || name == "max")) {
    d.SkipModifier();
    name += ".NaN";
    for (const Row& r : kRows) {
      if (r.name == name) row = &r;
    }
  }
  const bool saturate = d.Take("sat");
  const Type type = d.TakeType();
  out->run = OfType(*row, type);
  if (out->run == nullptr) d.Fail("unknown type");
  const bool simple = name == "add" || name == "sub" || name == "mul";
  if (row->rounded && rounding < 0 && !approximate) {
    // The default of add, sub and mul is .rn, but ptxas may then fuse them (9.7.3.3). Text must
    // therefore state the rounding.
    d.Fail(simple ? "no rounding, so ptxas may fuse it" : "no rounding");
  }
  if (approximate && (simple || name == "fma" || name == "mad")) d.Fail("unknown modifier");
  if (type.kind != 'f' || type.bits == 16) {
    if (flush || saturate || rounding > 0) d.Fail("unknown modifiers for this type");
  }
  if (type.bits == 64 && (flush || saturate)) d.Fail("unknown modifiers for this type");
  if (rounding > 0 || flush || saturate) {
    out->mode = static_cast<uint8_t>((rounding > 0 ? rounding : 0) | (flush ? kFlush : 0) |
                                     (saturate ? kSaturate : 0));
    out->inner = out->run;
    out->run = Adjusted;
  }
  Operands(d, type, row->sources, out);
  return true;
}

}  // namespace halyard::testing::ptx
