// attention on x86. A task takes some hundred queries of one head, and first packs the head's keys
// (transposed) and values. For each block of its queries, it computes all of the block's scores in
// register tiles. They stay in the task's own memory, where the maximum, the exponentials and the
// sum follow in vectors. The second product reads them in order.
#ifndef HALYARD_SCHEDULES_ATTENTION_X86_H_
#define HALYARD_SCHEDULES_ATTENTION_X86_H_

#include <vector>

#include "schedules/registry.h"

namespace halyard::schedules {

Schedule X86AttentionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> X86AttentionSpace(const lowering::LoweredKernel& kernel);
void ApplyAttentionOnX86(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_X86_H_
