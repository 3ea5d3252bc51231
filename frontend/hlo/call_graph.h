// Which computation calls which.
#ifndef HALYARD_FRONTEND_HLO_CALL_GRAPH_H_
#define HALYARD_FRONTEND_HLO_CALL_GRAPH_H_

#include <unordered_set>
#include <vector>

#include "frontend/hlo/module.h"

namespace halyard::hlo {

// Appends `start` and what it calls, directly or not, to `order`, callees first; computations in
// `done` are left out, and new ones added to it. False if a computation calls itself: then `order`
// is not to be used.
bool AppendCallOrder(Computation* start, std::unordered_set<const Computation*>* done,
                     std::vector<Computation*>* order);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_CALL_GRAPH_H_
