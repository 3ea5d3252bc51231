#include "codegen/passes/vector_pairs.h"

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::Broadcast;
using Halide::Internal::EQ;
using Halide::Internal::Ramp;
using Halide::Internal::Select;
using Halide::Internal::Sub;

Expr VectorPairs::visit(const Ramp* ramp) {
  if (ramp->lanes != 2 || !ramp->base.type().is_scalar()) return IRMutator::visit(ramp);
  const Sub* difference = ramp->stride.as<Sub>();
  Expr second;
  if (difference != nullptr && Halide::Internal::equal(difference->b, ramp->base)) {
    second = difference->a;
  } else if (ramp->type.is_float()) {
    // The difference was simplified, by the rules that take the sum apart again.
    second = Halide::Internal::simplify(ramp->base + ramp->stride);
  } else {
    return IRMutator::visit(ramp);
  }
  // This is not a shuffle, because the code generator of Halide for SPIR-V does not support all of
  // these.
  const Expr lanes = Ramp::make(Expr(0), Expr(1), 2);
  return Select::make(EQ::make(lanes, Broadcast::make(Expr(0), 2)),
                      Broadcast::make(mutate(ramp->base), 2), Broadcast::make(mutate(second), 2));
}

}  // namespace halyard::lowering
