// What reductions, windows and contractions share: folds of many terms.
#ifndef HALYARD_LOWERING_KERNELS_REDUCTION_DEFINE_H_
#define HALYARD_LOWERING_KERNELS_REDUCTION_DEFINE_H_

#include <cstdint>

#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

// Returns the type in which floats of `type` are summed and multiplied: at least f32, so that what
// is narrower is rounded once, at the end.
hlo::ElementType AccumulatorType(hlo::ElementType type);

// Sets the hero's accumulators to those of a fold of `num_inputs` arrays with `inst`'s body. Sums
// and products of floats are relaxed (numerics.h); everything else is the body as it is.
void SetFold(Emitter& emitter, const hlo::Instruction& inst, int64_t num_inputs, Hero* hero);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_KERNELS_REDUCTION_DEFINE_H_
