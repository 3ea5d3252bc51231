// The steps of ops that meet other processes or the host.
#ifndef HALYARD_LOWERING_PLAN_STEPS_COMMUNICATION_STEP_H_
#define HALYARD_LOWERING_PLAN_STEPS_COMMUNICATION_STEP_H_

#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/processes/communication.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

// Returns the step of exchange, replica-id, partition-id, send, recv-done, infeed or outfeed,
// without its slices. Its label says op, name and place, since messages name where processes wait.
// Refuses a send or recv whose array something else than its -done op uses.
absl::StatusOr<ProgramSpec::Step> CommunicationStep(const hlo::Instruction& inst,
                                                    const hlo::GridShape& grid);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_COMMUNICATION_STEP_H_
