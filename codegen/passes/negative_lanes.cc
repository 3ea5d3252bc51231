#include "codegen/passes/negative_lanes.h"

#include <algorithm>
#include <cstdint>

namespace halyard::lowering {

using Halide::Expr;
using Halide::Internal::as_const_int;
using Halide::Internal::Load;
using Halide::Internal::Max;
using Halide::Internal::Ramp;

Expr ClampNegativeLanes::visit(const Load* load) {
  const Ramp* ramp = load->index.as<Ramp>();
  if (ramp == nullptr || Halide::Internal::is_const_one(load->predicate))
    return IRMutator::visit(load);
  const auto base = as_const_int(ramp->base), stride = as_const_int(ramp->stride);
  if (!base || !stride) return IRMutator::visit(load);
  if (std::min<int64_t>(*base, *base + *stride * (ramp->lanes - 1)) >= 0)
    return IRMutator::visit(load);
  return Load::make(load->type, load->name,
                    Max::make(load->index, Halide::Internal::make_zero(load->index.type())),
                    load->image, load->param, mutate(load->predicate),
                    Halide::Internal::ModulusRemainder());
}

}  // namespace halyard::lowering
