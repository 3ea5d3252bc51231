// Says which computation calls which.
#ifndef HALYARD_FRONTEND_HLO_IR_CALL_GRAPH_H_
#define HALYARD_FRONTEND_HLO_IR_CALL_GRAPH_H_

#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo {

// Appends `start` and what it calls, directly or not, to `order`, callees first. Leaves out
// computations in `done`, and adds new ones to it. Returns false if a computation calls itself;
// `order` must not be used then.
bool AppendCallOrder(Computation* start, std::unordered_set<const Computation*>* done,
                     std::vector<Computation*>* order);

// Functions that call others twice, and so on, double with every level when they are inlined. This
// is the limit.
inline constexpr int64_t kMaxInlinedInstructions = int64_t{1} << 21;

// Returns kResourceExhausted, with the place of the first instruction that is too much, if the
// module would exceed that number of instructions with every call, fusion and map replaced by the
// instructions of its computation, and each loop and branch with its own bodies. O(instructions).
absl::Status CheckInlinedSize(const Module& module);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_CALL_GRAPH_H_
