#include "lowering/stored.h"

namespace halyard::lowering {

using Halide::Internal::Call;

namespace {
constexpr char kMark[] = "hy_stored";

Halide::Expr AnyStrictOperation() {
  const Halide::Expr zero(0.0F);
  return Call::make(zero.type(), Call::strict_add, {zero, zero}, Call::PureIntrinsic);
}
}  // namespace

Halide::Expr Stored(const Halide::Expr& value) {
  if (Halide::Internal::is_const(value)) return value;
  return Call::make(value.type(), kMark, {value, AnyStrictOperation()}, Call::PureExtern);
}

Halide::Expr DropStoredMarks::visit(const Call* call) {
  if (call->name == kMark) return mutate(call->args[0]);
  return IRMutator::visit(call);
}

}  // namespace halyard::lowering
