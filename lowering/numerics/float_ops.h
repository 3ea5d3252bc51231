// Strict float arithmetic on Halide expressions, in which the transcendental functions are written.
//
// An Fp is a Float(32) or Float(64) expression. Each operator is one strict_* intrinsic, so neither
// Halide nor LLVM reorders, contracts or folds it. Sign, absolute value and NaN tests work on the
// bits, where no compiler has float rules to apply.
#ifndef HALYARD_LOWERING_NUMERICS_FLOAT_OPS_H_
#define HALYARD_LOWERING_NUMERICS_FLOAT_OPS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "Halide.h"
#include "absl/types/span.h"

namespace halyard::lowering::numerics {

// What expressions depend on in the target for which they are made. lowering::TargetScope sets it.
struct TargetTraits {
  // Halide 21 has no Vulkan names for the f64 forms of sqrt, floor and ceil.
  bool vulkan = false;
  // Whether the target has a fused multiply-add that LLVM makes of `llvm.fma`: x86 with FMA.
  // Elsewhere, that intrinsic would become a call of libm.
  bool fused_multiply_add = false;
  // Whether LLVM has instructions that convert between f16 and f32: x86 with F16C, and CUDA.
  bool half_conversions = false;
  // Whether the target has an instruction that rounds f32 to bf16: CUDA from sm_80 on.
  bool bf16_conversions = false;
  // Whether 32-bit words are multiplied as 64-bit lanes, whose upper halves the instruction leaves
  // out (x86's vpmuludq): words then stay in such lanes.
  bool words_in_wide_lanes = false;
  // Whether LLVM makes few instructions of `llvm.maximum` and `llvm.minimum`: x86.
  bool maxima = false;
  // Whether an instruction rounds to whole numbers: x86 with SSE4.1. Halide uses it for 256 bits at
  // most.
  bool rounds = false;
  // Whether LLVM makes one of its intrinsics for wider registers: AVX-512.
  bool rounds_wide = false;
};
// Sets this thread's traits and returns the former ones.
TargetTraits SetTargetTraits(TargetTraits traits);
// Returns this thread's traits.
const TargetTraits& Traits();

struct Fp {
  Halide::Expr e;

  Halide::Type type() const { return e.type(); }
  bool single() const { return e.type().bits() == 32; }
  int mantissa_bits() const { return single() ? 23 : 52; }
  int bias() const { return single() ? 127 : 1023; }
  Halide::Type uint_type() const { return Halide::UInt(e.type().bits()); }
  Halide::Type int_type() const { return Halide::Int(e.type().bits()); }
  // A constant of this expression's type, rounded to it.
  Fp Const(double value) const;
};

// Returns the value of a constant, in any of the forms that Fp::Const makes.
std::optional<double> ConstantOf(const Halide::Expr& e);

Fp operator+(const Fp& a, const Fp& b);
Fp operator-(const Fp& a, const Fp& b);
Fp operator*(const Fp& a, const Fp& b);
Fp operator/(const Fp& a, const Fp& b);
inline Fp operator+(const Fp& a, double b) { return a + a.Const(b); }
inline Fp operator-(const Fp& a, double b) { return a - a.Const(b); }
inline Fp operator*(const Fp& a, double b) { return a * a.Const(b); }
inline Fp operator-(double a, const Fp& b) { return b.Const(a) - b; }
inline Fp operator/(double a, const Fp& b) { return b.Const(a) / b; }

// Returns x after a strict operation that LLVM removes (x + -0). Halide 21 compiles a pipeline
// without a strict operation with fast-math flags on everything. So operations that have no strict
// form (square roots, conversions) take their operand this way.
Fp Strictly(const Fp& x);

// Returns a * b + c, rounded once where the target fuses it and twice elsewhere. This is for sums
// of products, whose rounding is open, and for functions that hold their bounds either way. It
// carries none of the flags (no NaN, no infinity, no signed zero) with which LLVM compiles Halide's
// own a * b + c.
Fp MultiplyAdd(const Fp& a, const Fp& b, const Fp& c);
// Returns c - a * b in the same way.
Fp SubtractProduct(const Fp& a, const Fp& b, const Fp& c);

// Quiet comparisons return false if an operand is NaN.
Halide::Expr Lt(const Fp& a, const Fp& b);
Halide::Expr Le(const Fp& a, const Fp& b);
Halide::Expr Eq(const Fp& a, const Fp& b);
inline Halide::Expr Lt(const Fp& a, double b) { return Lt(a, a.Const(b)); }
inline Halide::Expr Gt(const Fp& a, double b) { return Lt(a.Const(b), a); }
inline Halide::Expr Le(const Fp& a, double b) { return Le(a, a.Const(b)); }
inline Halide::Expr Ge(const Fp& a, double b) { return Le(a.Const(b), a); }
inline Halide::Expr Eq(const Fp& a, double b) { return Eq(a, a.Const(b)); }
Halide::Expr IsNan(const Fp& x);
Halide::Expr IsFinite(const Fp& x);

Fp Select(const Halide::Expr& condition, const Fp& yes, const Fp& no);
inline Fp Select(const Halide::Expr& condition, const Fp& yes, double no) {
  return Select(condition, yes, yes.Const(no));
}
inline Fp Select(const Halide::Expr& condition, double yes, const Fp& no) {
  return Select(condition, no.Const(yes), no);
}

// Returns a Float(64) constant. Halide 21's Vulkan back end rounds double constants to float, so
// those that this would change are bit patterns.
Halide::Expr DoubleImmediate(double value);
// Returns the low `count` bits of an unsigned x. Halide turns x & (2^k - 1) into x % 2^k, which its
// Vulkan back end gets wrong from k = 31 on.
Halide::Expr LowBits(const Halide::Expr& x, int count);

Halide::Expr Bits(const Fp& x);                       // unsigned, same width
Fp FromBits(const Halide::Expr& bits);                // 32 or 64 bits wide, signed or not
uint64_t BitsOf(const Fp& like, double value);        // bits of the constant in like's type
Halide::Expr UConst(const Fp& like, uint64_t value);  // an unsigned constant of like's width
Halide::Expr SignBit(const Fp& x);                    // the sign bit in its place; all other bits
                                                      // are 0
Fp WithSign(const Fp& x,
            const Halide::Expr& sign);  // x xor-ed with `sign` (as SignBit returns it)
Fp Abs(const Fp& x);
Fp Negate(const Fp& x);
Fp CopySign(const Fp& magnitude, const Fp& sign);  // magnitude >= 0
Fp Nan(const Fp& like);
Fp Infinity(const Fp& like);

Fp Floor(const Fp& x);
Fp Ceil(const Fp& x);
// Calls an intrinsic of LLVM: `name` with .f32 or .f64 behind it.
Fp OfLanes(const char* name, const std::vector<Fp>& operands);
Fp RoundEven(const Fp& x);
Fp RoundAway(const Fp& x);
// Correctly rounded on x86 and CUDA. On Vulkan, it is as good as the device's.
Fp Sqrt(const Fp& x);
// Clamps x to [lo, hi]. NaN stays NaN.
Fp Clamp(const Fp& x, double lo, double hi);

// The nearest integer of |x * factor| <= 2^22 (f64: 2^51), as a float and as an integer (Halide
// Int(32) or Int(64)). Each takes one addition.
struct Rounded {
  Fp value;
  Halide::Expr integer;
  Halide::Expr
      sum;  // UInt(32) or UInt(64): the low bits, all but 10 (13), are the integer + `lift`
};
// The lift must be even and keep the sum's integer positive; it costs nothing.
Rounded RoundSmall(const Fp& x, double factor = 1, int lift = 0);
// 2^n for an integer expression in the exponent's normal range.
Fp PowerOfTwo(const Fp& like, const Halide::Expr& n);

// Computes c[0] + c[1] x + … by Horner's method, with fused multiply-adds where the target has
// them.
Fp Polynomial(const Fp& x, absl::Span<const double> c);

// A value as the unevaluated sum hi + lo, |lo| <= ulp(hi) / 2.
struct Double {
  Fp hi;
  Fp lo;
};
Double FastTwoSum(const Fp& a, const Fp& b);  // exact if |a| >= |b| or a == 0
Double TwoSum(const Fp& a, const Fp& b);      // exact
Double TwoProduct(
    const Fp& a,
    const Fp& b);  // exact unless it over- or underflows (by a fused multiply-add, or Dekker's)
// A number as a sum of two doubles, about 106 bits.
struct LongConstant {
  double hi;
  double lo;
};
// A constant with twice the type's precision. If `hi_bits` is given, hi has only that many
// significant bits; then k * hi is exact for small k.
Double DoubleConst(const Fp& like, LongConstant value, int hi_bits = 0);

}  // namespace halyard::lowering::numerics

#endif  // HALYARD_LOWERING_NUMERICS_FLOAT_OPS_H_
