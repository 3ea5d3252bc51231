#include "codegen/passes/strict_code.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel.h"

namespace halyard::lowering {

using Halide::Expr;
using namespace Halide::Internal;  // NOLINT: the classes of Halide's IR

namespace {

Expr OfBits(const Select* select) {
  const Halide::Type bits = Halide::UInt(select->type.bits(), select->type.lanes());
  return Halide::reinterpret(
      select->type, Select::make(select->condition, Halide::reinterpret(bits, select->true_value),
                                 Halide::reinterpret(bits, select->false_value)));
}

// Returns lanes [begin, begin + count) of a vector.
Expr Lanes(const Expr& vector, int begin, int count) {
  const auto* load = vector.as<Load>();
  const auto* ramp = load == nullptr ? nullptr : load->index.as<Ramp>();
  if (ramp != nullptr && is_const_one(load->predicate)) {
    return Load::make(load->type.with_lanes(count), load->name,
                      Ramp::make(ramp->base + ramp->stride * begin, ramp->stride, count),
                      load->image, load->param, const_true(count), ModulusRemainder());
  }
  if (const auto* all = vector.as<Broadcast>()) return Broadcast::make(all->value, count);
  return Shuffle::make_slice(vector, begin, 1, count);
}

// Floats of 16, 32 or 64 bits as their bits, in as many lanes.
struct FloatBits {
  explicit FloatBits(const Halide::Type& type)
      : bits(type.with_code(halide_type_uint)),
        exponent_bits(type.bits() == 16   ? 5
                      : type.bits() == 32 ? 8
                                          : 11) {}

  // Stored bits of the significand.
  int mantissa_bits() const { return bits.bits() - 1 - exponent_bits; }
  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits(); }
  // The bits of the least positive value whose nearest of type `other` is infinite.
  uint64_t LeastInfinite(const FloatBits& other) const {
    if (bits.bits() <= other.bits.bits()) return infinity();
    // Halfway between the largest value and what would be the next power of two.
    const int exponent = 1 << (other.exponent_bits - 1);
    const double least =
        std::ldexp(1, exponent) - std::ldexp(1, exponent - other.mantissa_bits() - 2);
    return bits.bits() == 64 ? std::bit_cast<uint64_t>(least)
                             : std::bit_cast<uint32_t>(static_cast<float>(least));
  }

  Expr Const(uint64_t value) const {
    const Expr one = UIntImm::make(bits.element_of(), value);
    return bits.is_scalar() ? one : Broadcast::make(one, bits.lanes());
  }
  Expr Sign() const { return Const(uint64_t{1} << (bits.bits() - 1)); }
  Expr Infinity() const { return Const(infinity()); }
  // The quiet one, without payload.
  Expr Nan() const { return Const(infinity() | uint64_t{1} << (mantissa_bits() - 1)); }
  Expr Zero() const { return Const(0); }
  Expr Zero(bool negative) const { return negative ? Sign() : Zero(); }

  // x + (+0): only -0 changes.
  Expr PlusZero(const Expr& x) const { return Halide::select(x == Sign(), Zero(), x); }
  Expr TimesZero(const Expr& x, bool negative) const {
    const Expr sign = (x & Sign()) ^ Zero(negative);
    return Halide::select((x & ~Sign()) < Infinity(), sign, Nan());
  }
  // x / ±0, and ±0 / x: NaN of another zero or NaN.
  Expr OverZero(const Expr& x, bool negative) const {
    return UnlessZero(x, ((x & Sign()) ^ Zero(negative)) | Infinity());
  }
  Expr ZeroOver(const Expr& x, bool negative) const {
    return UnlessZero(x, (x & Sign()) ^ Zero(negative));
  }
  Expr UnlessZero(const Expr& x, const Expr& result) const {
    const Expr size = x & ~Sign();
    return Halide::select(size == Zero() || size > Infinity(), Nan(), result);
  }

  Halide::Type bits;
  int exponent_bits;
};

// Returns the bits, in type `to`, of a value that is rounded to type `by`. x are its bits in type
// `from`. `convert` does it for finite values.
Expr ConvertedBits(const Expr& x, const FloatBits& from, const FloatBits& by, const FloatBits& to,
                   const std::function<Expr(const Expr&)>& convert) {
  const Expr size = x & ~from.Sign(), special = size >= from.Const(from.LeastInfinite(by));
  const Expr safe = Select::make(special, from.Zero(), size);
  const Expr put = Select::make(size > from.Infinity(), to.Nan(), to.Infinity());
  const int shift = to.bits.bits() - from.bits.bits();
  const Expr sign = x & from.Sign();
  const Expr moved = shift >= 0 ? Halide::cast(to.bits, sign) << to.Const(shift)
                                : Halide::cast(to.bits, sign >> from.Const(-shift));
  return Select::make(special, put, convert(safe)) | moved;
}

// The bits of a constant, also of one that Halide's simplifier leaves as an operation on bits.
std::optional<uint64_t> ConstantBits(const Expr& e) {
  if (const auto* all = e.as<Broadcast>()) return ConstantBits(all->value);
  if (const auto* cast = e.as<Reinterpret>()) return ConstantBits(cast->value);
  if (const auto* number = e.as<UIntImm>()) return number->value;
  if (const auto* number = e.as<FloatImm>()) {
    if (e.type().bits() == 32) return std::bit_cast<uint32_t>(static_cast<float>(number->value));
    return std::bit_cast<uint64_t>(number->value);
  }
  const auto* call = e.as<Call>();
  if (call == nullptr || call->args.size() != 2) return std::nullopt;
  const auto a = ConstantBits(call->args[0]), b = ConstantBits(call->args[1]);
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  if (call->is_intrinsic(Call::bitwise_xor)) return *a ^ *b;
  if (call->is_intrinsic(Call::bitwise_and)) return *a & *b;
  if (call->is_intrinsic(Call::bitwise_or)) return *a | *b;
  return std::nullopt;
}

// Whether a constant zero is -0; nothing for another value.
std::optional<bool> SignOfZero(const Expr& e) {
  const std::optional<uint64_t> value = ConstantBits(e);
  const uint64_t sign = uint64_t{1} << (e.type().bits() - 1);
  if (!value.has_value() || (*value & ~sign) != 0) return std::nullopt;
  return *value == sign;
}

// Returns the bits of the result for x, the bits of the other operand; nothing for other calls.
Expr ResultFor(const Call* call, const FloatBits& type, const Expr& x, bool negative,
               bool zero_first) {
  if (call->is_intrinsic(Call::strict_mul)) return type.TimesZero(x, negative);
  if (call->is_intrinsic(Call::strict_div))
    return zero_first ? type.ZeroOver(x, negative) : type.OverZero(x, negative);
  if (call->is_intrinsic(Call::strict_add)) return negative ? x : type.PlusZero(x);
  if (!call->is_intrinsic(Call::strict_sub)) return {};
  if (!zero_first) return negative ? type.PlusZero(x) : x;
  const Expr negated = x ^ type.Sign();
  return negative ? negated : type.PlusZero(negated);
}

}  // namespace

Expr StrictCode::visit(const Select* op) {
  Expr result = IRMutator::visit(op);
  const Select* select = result.as<Select>();
  if (select == nullptr || !select->type.is_float()) return result;
  // One condition for all lanes of several registers: a select each, else LLVM makes masks of parts
  // of the vector of conditions.
  const auto* same = select->condition.as<Broadcast>();
  const int lanes = select->type.lanes(), most = vector_bits_ / select->type.bits();
  if (same == nullptr || most == 0 || lanes <= most || lanes % most != 0) return OfBits(select);
  std::vector<Expr> parts;
  for (int begin = 0; begin < lanes; begin += most) {
    const Expr part =
        Select::make(Broadcast::make(same->value, most), Lanes(select->true_value, begin, most),
                     Lanes(select->false_value, begin, most));
    parts.push_back(OfBits(part.as<Select>()));
  }
  return Shuffle::make_concat(parts);
}

// Halide compiles a conversion between float types with all of LLVM's flags, and no strict
// operation stands for one. So what is converted is finite, positive, and not so large that the
// result would be infinite; the flags say nothing else of such a value. Infinity, NaN and the sign
// are put in by their bits.
Expr StrictCode::visit(const Cast* op) {
  const Halide::Type to = op->type, from = op->value.type();
  if (!to.is_float() || !from.is_float()) return IRMutator::visit(op);
  if (each_lane() && to.bits() == 16 && from.bits() == 32) {
    const Expr bits = Call::make(to.with_code(halide_type_uint), "llvm.convert.to.fp16.f32",
                                 {mutate(op->value)}, Call::PureExtern);
    return Reinterpret::make(to, bits);
  }
  if (each_lane() && to.bits() == 32 && from.bits() == 16) {
    const Expr bits = Reinterpret::make(from.with_code(halide_type_uint), mutate(op->value));
    return Call::make(to, "llvm.convert.from.fp16.f32", {bits}, Call::PureExtern);
  }
  // There and back is one conversion with rounding.
  const auto* there = op->value.as<Cast>();
  const bool and_back = there != nullptr && from.bits() < to.bits() && there->value.type() == to;
  const Expr source = and_back ? there->value : op->value;
  const std::string name = unique_name('c');
  const FloatBits before(source.type()), after(to);
  const Expr x = Variable::make(before.bits, name);
  const auto converted = [&](const Expr& safe) {
    const Expr value = Reinterpret::make(source.type(), safe);
    return Reinterpret::make(after.bits,
                             Cast::make(to, and_back ? Cast::make(from, value) : value));
  };
  const Expr result = ConvertedBits(x, before, FloatBits(and_back ? from : to), after, converted);
  return Let::make(name, Reinterpret::make(x.type(), mutate(source)),
                   Reinterpret::make(to, result));
}

template <typename Op>
Expr StrictCode::RefuseFloat(const Op* op, const Halide::Type& type, const char* what) {
  if (!type.is_float()) return IRMutator::visit(op);
  std::ostringstream text;
  text << Expr(op);
  throw EmitError(absl::StrCat("a relaxed float ", what,
                               " in a kernel: ", absl::string_view(text.str()).substr(0, 200)));
}

Expr StrictCode::visit(const Add* op) { return RefuseFloat(op, op->type, "sum"); }
Expr StrictCode::visit(const Sub* op) { return RefuseFloat(op, op->type, "difference"); }
Expr StrictCode::visit(const Mul* op) { return RefuseFloat(op, op->type, "product"); }
Expr StrictCode::visit(const Div* op) { return RefuseFloat(op, op->type, "quotient"); }
Expr StrictCode::visit(const Mod* op) { return RefuseFloat(op, op->type, "remainder"); }
Expr StrictCode::visit(const Min* op) { return RefuseFloat(op, op->type, "minimum"); }
Expr StrictCode::visit(const Max* op) { return RefuseFloat(op, op->type, "maximum"); }
Expr StrictCode::visit(const EQ* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const NE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const LT* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const LE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const GT* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const GE* op) { return RefuseFloat(op, op->a.type(), "comparison"); }
Expr StrictCode::visit(const VectorReduce* op) {
  return RefuseFloat(op, op->type, "horizontal reduction");
}

Expr ZeroOperands::visit(const Call* op) {
  Expr mutated = IRMutator::visit(op);
  const auto* call = mutated.as<Call>();
  const bool is_wide = op->type.bits() == 32 || op->type.bits() == 64;
  if (call == nullptr || !op->type.is_float() || !is_wide || call->args.size() != 2) return mutated;
  const std::optional<bool> first = SignOfZero(call->args[0]), second = SignOfZero(call->args[1]);
  if (!all_ && !(call->is_intrinsic(Call::strict_div) && second.has_value())) return mutated;
  if (!first.has_value() && !second.has_value()) return mutated;
  const bool zero_first = !second.has_value();
  const FloatBits type(call->type);
  const std::string name = unique_name('z');
  const Expr x = Variable::make(type.bits, name);
  const Expr result = ResultFor(call, type, x, zero_first ? *first : *second, zero_first);
  if (!result.defined()) return mutated;
  const Expr value = Halide::reinterpret(type.bits, call->args[zero_first ? 1 : 0]);
  return Halide::reinterpret(call->type, Let::make(name, value, result));
}

}  // namespace halyard::lowering
