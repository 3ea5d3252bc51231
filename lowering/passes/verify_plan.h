// Checks that a ProgramSpec is consistent: what the runtime relies on.
#ifndef HALYARD_LOWERING_PASSES_VERIFY_PLAN_H_
#define HALYARD_LOWERING_PASSES_VERIFY_PLAN_H_

#include "absl/status/status.h"
#include "runtime/program_spec.h"

namespace halyard::lowering {

// Slices lie in their allocations, temps in their arenas; temps that are live together do not
// overlap; everything is written before it is read, on every path; parameters and constants are
// never written; every result is; sequences form a tree.
absl::Status VerifyPlan(const ProgramSpec& spec);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_VERIFY_PLAN_H_
