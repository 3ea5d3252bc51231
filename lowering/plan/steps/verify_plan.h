// Checks that a ProgramSpec is consistent, on which the runtime relies.
#ifndef HALYARD_LOWERING_PLAN_STEPS_VERIFY_PLAN_H_
#define HALYARD_LOWERING_PLAN_STEPS_VERIFY_PLAN_H_

#include "absl/status/status.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

// Checks that slices lie in their allocations and temporaries in their arenas; that temporaries
// that are live together do not overlap; that everything is written before it is read, on every
// path; that parameters and constants are never written, and every result is; and that sequences
// form a tree.
absl::Status VerifyPlan(const ProgramSpec& spec);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_STEPS_VERIFY_PLAN_H_
