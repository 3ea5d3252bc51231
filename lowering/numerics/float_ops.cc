#include "lowering/numerics/float_ops.h"

#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halyard::lowering::numerics {

using Halide::Expr;
using Halide::Internal::Call;

namespace {

Expr Intrinsic(Halide::Type type, Call::IntrinsicOp op, const Expr& a, const Expr& b) {
  return Call::make(type, op, {a, b}, Call::PureIntrinsic);
}

Fp Arithmetic(Call::IntrinsicOp op, const Fp& a, const Fp& b) {
  return {Intrinsic(a.type(), op, a.e, b.e)};
}
// Comparisons of constants are evaluated here. Halide does not evaluate strict ones: it moves them
// out of GPU kernels and passes them in as booleans, which SPIR-V does not allow.
Expr Comparison(Call::IntrinsicOp op, const Fp& a, const Fp& b) {
  const std::optional<double> x = ConstantOf(a.e), y = ConstantOf(b.e);
  if (x.has_value() && y.has_value()) {
    const bool holds = op == Call::strict_lt   ? *x < *y
                       : op == Call::strict_le ? *x <= *y
                                               : *x == *y;
    return Halide::Internal::make_bool(holds);
  }
  return Intrinsic(Halide::Bool(), op, a.e, b.e);
}

// Half of a's bits: a - High(a) is exact, and products of halves are.
Fp High(const Fp& a) {
  const int dropped = a.single() ? 12 : 27;
  const uint64_t all = a.single() ? 0xffffffffu : ~uint64_t{0};
  const uint64_t mask = all & ~((uint64_t{1} << dropped) - 1);
  return FromBits((Bits(a) + UConst(a, uint64_t{1} << (dropped - 1))) & UConst(a, mask));
}

thread_local TargetTraits target_traits;

bool NeedsSingleName(const Fp& x) { return target_traits.vulkan && !x.single(); }
// The GLSL instruction of that name takes either width.
Expr BySingleName(const char* name, const Fp& x) {
  return Call::make(x.type(), name, {x.e}, Call::PureExtern);
}

}  // namespace

std::optional<double> ConstantOf(const Expr& e) {
  if (const auto* number = e.as<Halide::Internal::FloatImm>()) return number->value;
  const auto* cast = e.as<Halide::Internal::Reinterpret>();
  const auto* bits = cast == nullptr ? nullptr : cast->value.as<Halide::Internal::UIntImm>();
  if (bits == nullptr) return std::nullopt;
  if (e.type() == Halide::Float(32))
    return std::bit_cast<float>(static_cast<uint32_t>(bits->value));
  if (e.type() == Halide::Float(64)) return std::bit_cast<double>(bits->value);
  return std::nullopt;
}

TargetTraits SetTargetTraits(TargetTraits traits) { return std::exchange(target_traits, traits); }
const TargetTraits& Traits() { return target_traits; }

Fp Fp::Const(double value) const {
  // Halide treats the immediates -0.0 and 0.0 as the same when it joins equal expressions.
  if (value == 0 && std::signbit(value)) return FromBits(UConst(*this, BitsOf(*this, value)));
  if (single()) return {Expr(static_cast<float>(value))};
  return {DoubleImmediate(value)};
}

Expr DoubleImmediate(double value) {
  if (std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value)
    return Expr(value);
  return Halide::reinterpret(
      Halide::Float(64),
      Halide::Internal::UIntImm::make(Halide::UInt(64), std::bit_cast<uint64_t>(value)));
}

Expr LowBits(const Expr& x, int count) {
  const Halide::Type type = x.type();
  if (count >= type.bits()) return x;
  const uint64_t mask = (uint64_t{1} << count) - 1;
  if (count < 31) return x & Halide::Internal::UIntImm::make(type, mask);
  const uint64_t all = type.bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits()) - 1;
  return x ^ (x & Halide::Internal::UIntImm::make(type, all & ~mask));
}

Fp operator+(const Fp& a, const Fp& b) { return Arithmetic(Call::strict_add, a, b); }
Fp operator-(const Fp& a, const Fp& b) { return Arithmetic(Call::strict_sub, a, b); }
Fp operator*(const Fp& a, const Fp& b) { return Arithmetic(Call::strict_mul, a, b); }
Fp operator/(const Fp& a, const Fp& b) { return Arithmetic(Call::strict_div, a, b); }

Fp Strictly(const Fp& x) { return target_traits.vulkan ? x : x + x.Const(-0.0); }

// Halide calls such a function once for each lane of a vector; LLVM's SLP vectorizer
// makes one instruction of these calls again (tests/codegen/passes/strict_code_test.cc counts
// them).
Fp OfLanes(const char* name, const std::vector<Fp>& operands) {
  std::vector<Expr> arguments;
  for (const Fp& operand : operands) arguments.push_back(operand.e);
  const std::string full = std::string(name) + (operands[0].single() ? ".f32" : ".f64");
  return {Call::make(operands[0].type(), full, arguments, Call::PureExtern)};
}

Fp MultiplyAdd(const Fp& a, const Fp& b, const Fp& c) {
  if (!target_traits.fused_multiply_add) return a * b + c;
  return OfLanes("llvm.fma", {a, b, c});
}

Fp SubtractProduct(const Fp& a, const Fp& b, const Fp& c) {
  if (!target_traits.fused_multiply_add) return c - a * b;
  return MultiplyAdd(Negate(a), b, c);
}

Expr Lt(const Fp& a, const Fp& b) { return Comparison(Call::strict_lt, a, b); }
Expr Le(const Fp& a, const Fp& b) { return Comparison(Call::strict_le, a, b); }
Expr Eq(const Fp& a, const Fp& b) { return Comparison(Call::strict_eq, a, b); }

// This works on bits, where the flag that there are no NaNs has no effect.
Expr IsNan(const Fp& x) { return Bits(Abs(x)) > UConst(x, BitsOf(x, HUGE_VAL)); }

Expr IsFinite(const Fp& x) { return Bits(Abs(x)) < UConst(x, BitsOf(x, HUGE_VAL)); }

// This selects bits, because a float select carries flags of LLVM that no operand is NaN and that
// zeros have no sign.
Fp Select(const Expr& condition, const Fp& yes, const Fp& no) {
  return FromBits(Halide::select(condition, Bits(yes), Bits(no)));
}

Expr Bits(const Fp& x) { return Halide::reinterpret(x.uint_type(), x.e); }

Fp FromBits(const Expr& bits) {
  return {Halide::reinterpret(Halide::Float(bits.type().bits()), bits)};
}

uint64_t BitsOf(const Fp& like, double value) {
  if (like.single()) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

Expr UConst(const Fp& like, uint64_t value) {
  return Halide::Internal::UIntImm::make(like.uint_type(), value);
}

Expr SignBit(const Fp& x) { return Bits(x) & UConst(x, uint64_t{1} << (x.type().bits() - 1)); }

Fp WithSign(const Fp& x, const Expr& sign) { return FromBits(Bits(x) ^ sign); }

Fp Abs(const Fp& x) { return FromBits(LowBits(Bits(x), x.type().bits() - 1)); }

Fp Negate(const Fp& x) { return WithSign(x, UConst(x, uint64_t{1} << (x.type().bits() - 1))); }

Fp CopySign(const Fp& magnitude, const Fp& sign) {
  return FromBits(Bits(magnitude) | SignBit(sign));
}

Fp Nan(const Fp& like) {
  return FromBits(UConst(like, like.single() ? 0x7fc00000u : 0x7ff8000000000000u));
}
Fp Infinity(const Fp& like) { return FromBits(UConst(like, BitsOf(like, HUGE_VAL))); }

Fp Floor(const Fp& x) {
  if (target_traits.rounds_wide) return OfLanes("llvm.floor", {x});
  return {NeedsSingleName(x) ? BySingleName("floor_f32", x) : Halide::floor(Strictly(x).e)};
}
Fp Ceil(const Fp& x) {
  if (target_traits.rounds_wide) return OfLanes("llvm.ceil", {x});
  return {NeedsSingleName(x) ? BySingleName("ceil_f32", x) : Halide::ceil(Strictly(x).e)};
}
Fp Sqrt(const Fp& x) {
  return {NeedsSingleName(x) ? BySingleName("sqrt_f32", x) : Halide::sqrt(Strictly(x).e)};
}

Fp RoundEven(const Fp& x) {
  if (target_traits.rounds_wide) return OfLanes("llvm.roundeven", {x});
  if (target_traits.rounds) return {Halide::round(Strictly(x).e)};
  // Adding 2^mantissa_bits leaves no fraction bits.
  const double magic = std::ldexp(1.0, x.mantissa_bits());
  Fp a = Abs(x);
  return Select(Lt(a, magic), CopySign((a + magic) - magic, x), x);
}

Fp RoundAway(const Fp& x) {
  Fp a = Abs(x);
  Fp whole = Floor(a);
  return CopySign(Select(Ge(a - whole, 0.5), whole + 1.0, whole), x);
}

Fp Clamp(const Fp& x, double lo, double hi) {
  if (target_traits.maxima)
    return OfLanes("llvm.minimum", {OfLanes("llvm.maximum", {x, x.Const(lo)}), x.Const(hi)});
  Fp above = Select(Lt(x, lo), lo, x);
  // Compilers turn these into min and max, which may lose NaN.
  return Select(IsNan(x), x, Select(Gt(above, hi), hi, above));
}

Rounded RoundSmall(const Fp& x, double factor, int lift) {
  const double magic = std::ldexp(1.5, x.mantissa_bits()) + lift;
  Fp shifted = factor == 1 ? x + magic : MultiplyAdd(x, x.Const(factor), x.Const(magic));
  Expr sum = Bits(shifted);
  Expr integer = sum - UConst(x, BitsOf(x, magic));
  return {shifted - magic, Halide::reinterpret(x.int_type(), integer), sum};
}

Fp PowerOfTwo(const Fp& like, const Expr& n) {
  Expr biased = Halide::reinterpret(like.uint_type(), n) + UConst(like, like.bias());
  return FromBits(biased << UConst(like, like.mantissa_bits()));
}

Fp Polynomial(const Fp& x, absl::Span<const double> c) {
  Fp sum = x.Const(c.back());
  for (size_t i = c.size() - 1; i-- > 0;) sum = MultiplyAdd(sum, x, x.Const(c[i]));
  return sum;
}

Double FastTwoSum(const Fp& a, const Fp& b) {
  Fp sum = a + b;
  return {sum, b - (sum - a)};
}

Double TwoSum(const Fp& a, const Fp& b) {
  Fp sum = a + b;
  Fp b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

Double TwoProduct(const Fp& a, const Fp& b) {
  Fp product = a * b;
  if (target_traits.fused_multiply_add) return {product, MultiplyAdd(a, b, Negate(product))};
  Fp ah = High(a), al = a - ah;
  Fp bh = High(b), bl = b - bh;
  return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

Double DoubleConst(const Fp& like, LongConstant value, int hi_bits) {
  if (hi_bits == 0) hi_bits = like.mantissa_bits() + 1;
  int exponent;
  double fraction = std::frexp(value.hi, &exponent);
  double hi = std::ldexp(std::nearbyint(std::ldexp(fraction, hi_bits)), exponent - hi_bits);
  return {like.Const(hi), like.Const((value.hi - hi) + value.lo)};
}

}  // namespace halyard::lowering::numerics
