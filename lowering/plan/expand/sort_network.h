// Sorts by a network of compare-and-exchange steps, in any strict order and on any device.
#ifndef HALYARD_LOWERING_PLAN_EXPAND_SORT_NETWORK_H_
#define HALYARD_LOWERING_PLAN_EXPAND_SORT_NETWORK_H_

#include <vector>

#include "lowering/plan/rewriter.h"
#include "runtime/device_info.h"

namespace halyard::lowering {

// Sorts the lines of two or more matrices of equal dimensions together, by a bitonic network
// (Batcher, Sorting networks and their applications, 1968). In the form that is used, every
// exchange puts the smaller element first, which works for any number of elements. The network
// consists of sort-pass kernels: of one pass where positions far apart are exchanged, and of many
// passes over blocks. A network is not stable, so the comparator (a0, b0, a1, b1, …) should leave
// no ties.
std::vector<hlo::Instruction*> AddSortingNetwork(Rewriter& rewriter, const hlo::Instruction& sort,
                                                 std::vector<hlo::Instruction*> arrays,
                                                 hlo::Computation* comparator,
                                                 const runtime::DeviceInfo& device);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_EXPAND_SORT_NETWORK_H_
