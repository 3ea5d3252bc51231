#include "lowering/numerics/integer_ops.h"

#include <bit>
#include <cstdint>
#include <map>
#include <optional>

#include "lowering/numerics/float_ops.h"

namespace halyard::lowering::numerics {

using Halide::cast;
using Halide::Expr;
using Halide::reinterpret;
using Halide::select;
using Halide::Type;
using Halide::UInt;

namespace {

Type Unsigned(const Expr& e) { return UInt(e.type().bits()); }
Expr U(const Expr& e) { return e.type().is_uint() ? e : reinterpret(Unsigned(e), e); }
Expr Constant(Type type, uint64_t value) {
  if (type.is_uint()) return Halide::Internal::UIntImm::make(type, value);
  return Halide::Internal::IntImm::make(type, static_cast<int64_t>(value));
}
// Returns whether the value, apart from conditions, is made of constants alone.
class MadeOfConstants : public Halide::Internal::IRGraphVisitor {
 public:
  explicit MadeOfConstants(const Expr& e) { e.accept(this); }
  bool result = true;

 private:
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Variable*) override { result = false; }
  void visit(const Halide::Internal::Call* call) override {
    if (call->is_intrinsic()) return IRGraphVisitor::visit(call);
    result = false;
  }
  void visit(const Halide::Internal::Select* op) override {
    op->true_value.accept(this);
    op->false_value.accept(this);
  }
};

// Returns whether Halide may know bounds of `x` that `type` cannot hold.
bool MayBeKnownToOverflow(const Expr& x, Type type) {
  using Halide::Internal::ConstantInterval;
  std::map<Expr, ConstantInterval, Halide::ExprCompare> cache;
  const ConstantInterval bounds = Halide::Internal::constant_integer_bounds(
      x, Halide::Internal::Scope<ConstantInterval>::empty_scope(), &cache);
  if (!bounds.min_defined || !bounds.max_defined) return false;
  if (type.can_represent(bounds.min) && type.can_represent(bounds.max)) return false;
  const ConstantInterval whole = ConstantInterval::bounds_of_type(x.type());
  const bool narrower =
      !whole.min_defined || !whole.max_defined || bounds.min > whole.min || bounds.max < whole.max;
  return narrower || MadeOfConstants(x).result;
}

// The bits of `u` as a number of `type`, which has as many. Halide makes a reinterpretation of
// integers a conversion, and draws wrong conclusions from bounds that it knows of one that
// overflows: it left out clamps of indices.
Expr Back(const Expr& u, Type type) {
  if (type.is_uint()) return u;
  const bool hide = type.bits() >= 32 && MayBeKnownToOverflow(u, type);
  return reinterpret(type, hide ? Opaque(u) : u);
}

uint64_t MaskOf(int bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }
// Returns the unsigned number that the low `bits` stand for.
Expr LowU(const Expr& e, int bits) {
  if (bits == e.type().bits()) return U(e);
  return U(e) & Constant(Unsigned(e), MaskOf(bits));
}

std::optional<uint64_t> AsConstantBits(const Expr& e) {
  if (auto value = Halide::Internal::as_const_uint(e)) return *value;
  if (auto value = Halide::Internal::as_const_int(e)) return static_cast<uint64_t>(*value);
  return std::nullopt;
}

// Compares by the top bit, because Mesa 22.3 compares a widened 32-bit value with a 64-bit constant
// wrongly.
Expr IsNegative(const Expr& a) {
  return U(a) >= Constant(Unsigned(a), uint64_t{1} << (a.type().bits() - 1));
}

Expr Magnitude(const Expr& a) {
  return select(IsNegative(a), Constant(Unsigned(a), 0) - U(a), U(a));
}

// Halide 21 has no popcount for Vulkan.
Expr PopulationCount32(Expr x) {
  auto c = [](uint32_t value) { return Expr(value); };
  x = x - ((x >> c(1)) & c(0x55555555));
  x = (x & c(0x33333333)) + ((x >> c(2)) & c(0x33333333));
  x = (x + (x >> c(4))) & c(0x0f0f0f0f);
  return (x * c(0x01010101)) >> c(24);
}

// Computes in 32 bits, which every device has.
Expr CountLeadingZeros32(Expr x) {
  for (uint32_t step : {1, 2, 4, 8, 16}) x = x | (x >> Expr(step));
  return Expr(uint32_t{32}) - PopulationCount32(x);
}

}  // namespace

Expr Wrap(const Expr& x, int bits) {
  const Type type = x.type();
  if (bits == type.bits()) return x;
  if (type.is_uint()) return x & Constant(type, MaskOf(bits));
  const uint64_t shift = type.bits() - bits;
  return reinterpret(type, U(x) << Constant(Unsigned(x), shift)) >> Constant(type, shift);
}

Expr WrappingCast(const Type& type, const Expr& x) {
  const bool fits = type.bits() > x.type().bits() || x.type() == type;
  if (!type.is_int() || type.bits() < 32 || fits) return cast(type, x);
  const Expr low = cast(UInt(type.bits()), x);
  // For a wider type, Halide would join the two conversions.
  if (MayBeKnownToOverflow(x, type)) return reinterpret(type, Opaque(low));
  return Back(low, type);
}

Expr WrappingAdd(const Expr& a, const Expr& b) { return Back(U(a) + U(b), a.type()); }
Expr WrappingSubtract(const Expr& a, const Expr& b) { return Back(U(a) - U(b), a.type()); }
Expr WrappingMultiply(const Expr& a, const Expr& b) { return Back(U(a) * U(b), a.type()); }
Expr WrappingNegate(const Expr& a) { return Back(Constant(Unsigned(a), 0) - U(a), a.type()); }

Expr BitAnd(const Expr& a, const Expr& b) {
  if (a.type().bits() == 64) {
    if (Halide::Internal::is_const(a) && !Halide::Internal::is_const(b)) return BitAnd(b, a);
    std::optional<uint64_t> mask = AsConstantBits(b);
    if (mask && (*mask & (*mask + 1)) == 0)
      return Back(LowBits(U(a), std::popcount(*mask)), a.type());
  }
  return a & b;
}

Expr Divide(const Expr& a, const Expr& b) {
  const Type type = a.type();
  Expr zero = b == Constant(type, 0);
  if (type.is_uint()) {
    return select(zero, Constant(type, MaskOf(type.bits())),
                  Halide::div_round_to_zero(a, select(zero, Constant(type, 1), b)));
  }
  // Divides magnitudes: the unsigned machine division never traps here, and Vulkan shifts signed
  // numbers wrongly when it divides by constants.
  Expr quotient =
      Halide::div_round_to_zero(Magnitude(a), select(zero, Constant(Unsigned(b), 1), Magnitude(b)));
  Expr negative = IsNegative(a ^ b);
  Expr result = select(negative, Constant(Unsigned(a), 0) - quotient, quotient);
  return select(zero, Constant(type, -1), Back(result, type));
}

Expr Modulo(const Expr& a, const Expr& b) {
  const Type type = a.type();
  Expr zero = b == Constant(type, 0);
  std::optional<uint64_t> divisor = AsConstantBits(b);
  if (type.is_uint() && divisor && std::has_single_bit(*divisor))
    return LowBits(a, std::countr_zero(*divisor));
  if (type.is_uint())
    return select(zero, a, Halide::mod_round_to_zero(a, select(zero, Constant(type, 1), b)));
  Expr ub = select(zero, Constant(Unsigned(b), 1), Magnitude(b));
  Expr rest = Halide::mod_round_to_zero(Magnitude(a), ub);
  std::optional<uint64_t> size = AsConstantBits(b);
  if (size) {
    const uint64_t m = (static_cast<int64_t>(*size) < 0 ? 0 - *size : *size) & MaskOf(type.bits());
    if (std::has_single_bit(m)) rest = LowBits(Magnitude(a), std::countr_zero(m));
  }
  Expr result = select(IsNegative(a), Constant(Unsigned(a), 0) - rest, rest);
  return select(zero, a, Back(result, type));
}

Expr Power(const Expr& base, const Expr& exponent, int bits) {
  const Type type = base.type();
  // Opaque, because bounds inference would follow every way through the selects of a single value.
  Expr power = Opaque(U(base)), rest = Opaque(LowU(exponent, bits));
  const Type u = Unsigned(base);
  Expr one = Constant(u, 1);
  Expr result = one;
  for (int i = 0; i < bits; ++i) {
    if (i > 0) power = power * power;
    result = select(((rest >> Constant(u, i)) & one) != Constant(u, 0), result * power, result);
  }
  result = Back(result, type);
  if (type.is_uint()) return result;
  Expr odd = (rest & one) != Constant(u, 0);
  Expr minus_one = select(odd, Constant(type, -1), Constant(type, 1));
  Expr inverse = select(base == Constant(type, 1), base,
                        select(base == Constant(type, -1), minus_one, Constant(type, 0)));
  return select(IsNegative(exponent), inverse, result);
}

Expr ShiftLeft(const Expr& a, const Expr& amount, int bits) {
  const Type u = Unsigned(a);
  Expr n = LowU(amount, bits);
  // The shift only sees the masked amount, because a larger one would be undefined.
  Expr shifted = U(a) << (n & Constant(u, a.type().bits() - 1));
  return Back(select(n < Constant(u, bits), shifted, Constant(u, 0)), a.type());
}

Expr ShiftRightLogical(const Expr& a, const Expr& amount, int bits) {
  const Type u = Unsigned(a);
  Expr n = LowU(amount, bits);
  Expr shifted = LowU(a, bits) >> (n & Constant(u, a.type().bits() - 1));
  return Back(select(n < Constant(u, bits), shifted, Constant(u, 0)), a.type());
}

Expr ShiftRightArithmetic(const Expr& a, const Expr& amount, int bits) {
  const Type u = Unsigned(a);
  Expr n = Halide::min(LowU(amount, bits), Constant(u, bits - 1));
  // Shifts unsigned numbers, because the Vulkan back end of Halide 21 shifts zeros into a signed
  // value. The top bit of an unsigned type is its sign all the same.
  Expr x = U(Wrap(reinterpret(Halide::Int(a.type().bits()), a), bits));
  Expr sign = x >> Constant(u, a.type().bits() - 1);
  Expr ones = Constant(u, 0) - sign;
  return Wrap(Back(((x ^ ones) >> n) ^ ones, a.type()), bits);
}

Expr PopulationCount(const Expr& a, int bits) {
  Expr x = LowU(a, bits);
  Expr count;
  if (a.type().bits() == 64) {
    count = PopulationCount32(cast(UInt(32), x)) +
            PopulationCount32(cast(UInt(32), x >> Constant(UInt(64), 32)));
  } else {
    count = PopulationCount32(cast(UInt(32), x));
  }
  return cast(a.type(), count);
}

Expr CountLeadingZeros(const Expr& a, int bits) {
  Expr x = LowU(a, bits);
  if (a.type().bits() == 64) {
    Expr high = cast(UInt(32), x >> Constant(UInt(64), 32));
    Expr low = CountLeadingZeros32(cast(UInt(32), x)) + Expr(uint32_t{32});
    return cast(a.type(), select(high == Expr(uint32_t{0}), low, CountLeadingZeros32(high)));
  }
  return cast(a.type(),
              CountLeadingZeros32(cast(UInt(32), x)) - Expr(static_cast<uint32_t>(32 - bits)));
}

Expr Opaque(const Expr& x) {
  const Halide::Type bits = UInt(x.type().bits());
  if (x.type().bits() < 8) return x;
  if (x.type() == UInt(64)) {
    // Halide finds a single value in |x - 0| of it, too, but not in a signed number made of it: it
    // moves up by 2^63, and the top bit moves it back.
    const Expr top = Halide::Internal::UIntImm::make(bits, uint64_t{1} << 63);
    const Expr lowest = Halide::Internal::IntImm::make(Halide::Int(64), INT64_MIN);
    return Halide::absd(Halide::reinterpret(Halide::Int(64), x), lowest) ^ top;
  }
  const Expr same = Halide::absd(Halide::reinterpret(bits, x), Halide::Internal::make_zero(bits));
  return Halide::reinterpret(x.type(), same);
}

Expr Equal(const Expr& a, const Expr& b) { return a.type().is_int() ? U(a) == U(b) : a == b; }

// Mesa 22.3 rewrites the comparison of a widened 32-bit value with a 64-bit constant wrongly. With
// the sign flipped, it has nothing to rewrite, and LLVM flips it back.
Expr Less(const Expr& a, const Expr& b) {
  const Halide::Type type = a.type();
  if (!type.is_int() || type.bits() != 64) return a < b;
  const Expr sign = Halide::Internal::UIntImm::make(Halide::UInt(64), uint64_t{1} << 63);
  return (Halide::reinterpret(Halide::UInt(64), a) ^ sign) <
         (Halide::reinterpret(Halide::UInt(64), b) ^ sign);
}

bool IsUniform(const Expr& e) {
  struct Finder : Halide::Internal::IRGraphVisitor {
    using IRGraphVisitor::visit;
    bool found = false;
    void visit(const Halide::Internal::Variable*) override { found = true; }
  };
  Finder finder;
  e.accept(&finder);
  return !finder.found;
}

Expr MaskedSelect(const Expr& condition, const Expr& yes, const Expr& no) {
  const Halide::Type type = Halide::UInt(yes.type().bits());
  const Expr mask = Halide::Internal::make_zero(type) - Halide::cast(type, condition);
  const Expr bits =
      (Halide::reinterpret(type, yes) & mask) | (Halide::reinterpret(type, no) & ~mask);
  return Halide::reinterpret(yes.type(), bits);
}

}  // namespace halyard::lowering::numerics
