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

// Moves what waits for other processes (recv-done) behind everything that does not need it, so
// that a send to which another process's send is the answer is never behind the wait for it. The
// order is the same in all processes.
void ReceiveLate(std::vector<const hlo::Instruction*>* order);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_COMMUNICATION_STEP_H_
