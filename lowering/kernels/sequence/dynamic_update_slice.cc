// dynamic-update-slice: result[start + u] = update[u] over the update's own indices.

#include "lowering/kernels/emitter.h"

namespace halyard::lowering {

using hlo::Instruction;

void LowerDynamicUpdateSlice(Emitter& emitter, const Instruction& inst, Sequence* sequence) {
  const hlo::Shape& update = inst.operand(1)->shape;
  SequencePhase phase;
  phase.extents.assign(update.dims().rbegin(), update.dims().rend());
  phase.independent = phase.extents.size();
  phase.step = [&emitter, &inst, &update](const Indices&, const Indices& r, const StateReader&) {
    const LogicalIndex u = Emitter::ToLogical(r);
    LogicalIndex target(inst.shape.rank());
    for (int64_t d = 0; d < inst.shape.rank(); ++d) {
      const int64_t limit = inst.shape.dim(d) - update.dim(d);
      target[d] =
          limit == 0 ? u[d] : u[d] + ClampedIndex(emitter.At(inst.operand(2 + d), {}), limit);
    }
    return SequenceStep{Emitter::ToHalide(target), {emitter.At(inst.operand(1), u)}, {}};
  };
  sequence->phases.push_back(std::move(phase));
}

}  // namespace halyard::lowering
