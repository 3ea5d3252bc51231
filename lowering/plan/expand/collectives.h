// What collectives are for a grid of processes: exchanges of bytes, and ordinary ops on what came.
#ifndef HALYARD_LOWERING_PLAN_EXPAND_COLLECTIVES_H_
#define HALYARD_LOWERING_PLAN_EXPAND_COLLECTIVES_H_

#include "absl/status/statusor.h"
#include "frontend/hlo/processes/communication.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

// Returns what takes the place of a collective (hlo::IsCollective) that hlo::CheckCommunication
// accepts for the grid. Only `exchange` meets other processes; so each target computes what the
// members brought with its own kernels, whatever the types and the body are, and fuses it.
absl::StatusOr<hlo::Instruction*> ExpandCollective(Rewriter& rewriter, hlo::Instruction* collective,
                                                   const hlo::GridShape& grid);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_EXPAND_COLLECTIVES_H_
