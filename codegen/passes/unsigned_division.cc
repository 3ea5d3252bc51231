#include "codegen/passes/unsigned_division.h"

#include <functional>
#include <optional>

namespace halyard::lowering {

using Halide::Expr;
using Halide::Type;
using Halide::UInt;
using Halide::Internal::as_const_int;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::make_const;
using Halide::Internal::ScopedBinding;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

namespace {

// Returns what `make` makes of the value, which may be used more than once.
Expr WithName(const Expr& value, const std::function<Expr(const Expr&)>& make) {
  if (value.as<Variable>() != nullptr || Halide::Internal::is_const(value)) return make(value);
  const std::string name = Halide::Internal::unique_name('d');
  return Let::make(name, value, make(Variable::make(value.type(), name)));
}

// The unsigned quotient of the dividend's bits, for negative dividends of those of ~dividend: there
// the floor is ~(~dividend / divisor).
Expr Quotient(const Expr& dividend, int32_t divisor, bool non_negative) {
  const Type type = UInt(32, dividend.type().lanes());
  const Expr bits = Halide::reinterpret(type, dividend), by = make_const(type, divisor);
  if (non_negative) return bits / by;
  const Expr mask =
      Halide::select(dividend < 0, make_const(type, 0xffffffffu), make_const(type, 0));
  return WithName(mask, [&](const Expr& m) { return ((bits ^ m) / by) ^ m; });
}

// Returns the divisor of a division that the pass changes.
std::optional<int32_t> DivisorOf(const Type& type, const Expr& divisor) {
  if (!type.is_int() || type.bits() != 32) return std::nullopt;
  const auto value = as_const_int(divisor);
  if (!value || *value < 2) return std::nullopt;
  return static_cast<int32_t>(*value);
}

}  // namespace

Expr FloorDivide(const Expr& dividend, int32_t divisor, bool non_negative) {
  return WithName(dividend, [&](const Expr& d) {
    return Halide::reinterpret(d.type(), Quotient(d, divisor, non_negative));
  });
}

Expr FloorRemainder(const Expr& dividend, int32_t divisor, bool non_negative) {
  return WithName(dividend, [&](const Expr& d) {
    const Expr quotient = Quotient(d, divisor, non_negative);
    return Halide::reinterpret(d.type(), Halide::reinterpret(quotient.type(), d) -
                                             quotient * make_const(quotient.type(), divisor));
  });
}

bool UnsignedDivision::IsNonNegative(const Expr& e) const {
  using namespace Halide::Internal;  // NOLINT: node types
  if (const auto value = as_const_int(e)) return *value >= 0;
  const auto both = [this](const auto* op) { return IsNonNegative(op->a) && IsNonNegative(op->b); };
  if (const auto* variable = e.as<Variable>()) return non_negative_.contains(variable->name);
  if (const auto* op = e.as<Add>()) return both(op);
  if (const auto* op = e.as<Mul>()) return both(op);
  if (const auto* op = e.as<Div>()) return both(op);
  if (const auto* op = e.as<Min>()) return both(op);
  if (const auto* op = e.as<Max>()) return IsNonNegative(op->a) || IsNonNegative(op->b);
  if (e.as<Mod>() != nullptr) return true;
  if (const auto* op = e.as<Broadcast>()) return IsNonNegative(op->value);
  if (const auto* op = e.as<Ramp>()) return IsNonNegative(op->base) && IsNonNegative(op->stride);
  return false;
}

Stmt UnsignedDivision::visit(const For* loop) {
  const bool outside = on_gpu_;
  on_gpu_ |= loop->for_type == ForType::GPUBlock || loop->for_type == ForType::GPUThread;
  const ScopedBinding<> bound(IsNonNegative(loop->min), non_negative_, loop->name);
  Stmt result = IRMutator::visit(loop);
  on_gpu_ = outside;
  return result;
}

// IRMutator's own visits of lets do without recursion, and know no scope.
Stmt UnsignedDivision::visit(const LetStmt* let) {
  const ScopedBinding<> bound(IsNonNegative(let->value), non_negative_, let->name);
  return LetStmt::make(let->name, mutate(let->value), mutate(let->body));
}

Expr UnsignedDivision::visit(const Let* let) {
  const ScopedBinding<> bound(IsNonNegative(let->value), non_negative_, let->name);
  return Let::make(let->name, mutate(let->value), mutate(let->body));
}

Expr UnsignedDivision::visit(const Halide::Internal::Div* div) {
  const std::optional<int32_t> divisor = DivisorOf(div->type, div->b);
  if (!on_gpu_ || !divisor.has_value()) return IRMutator::visit(div);
  return FloorDivide(mutate(div->a), *divisor, IsNonNegative(div->a));
}

Expr UnsignedDivision::visit(const Halide::Internal::Mod* mod) {
  const std::optional<int32_t> divisor = DivisorOf(mod->type, mod->b);
  // Powers of two become masks.
  if (!on_gpu_ || !divisor.has_value() || (*divisor & (*divisor - 1)) == 0) {
    return IRMutator::visit(mod);
  }
  return FloorRemainder(mutate(mod->a), *divisor, IsNonNegative(mod->a));
}

}  // namespace halyard::lowering
