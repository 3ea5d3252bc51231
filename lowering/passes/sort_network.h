// Sorting by a network of compare-and-exchange steps: any strict order, on any device.
#ifndef HALYARD_LOWERING_PASSES_SORT_NETWORK_H_
#define HALYARD_LOWERING_PASSES_SORT_NETWORK_H_

#include <vector>

#include "lowering/passes/rewriter.h"

namespace halyard::lowering {

// Sorts the lines of two or more matrices of equal dimensions together, by merge exchange (Knuth,
// The Art of Computer Programming 3, 5.2.2M), which takes any number of elements: a loop of known
// length over sort-pass. A network is not stable, so the comparator (a0, b0, a1, b1, …) should
// leave no ties.
std::vector<hlo::Instruction*> AddSortingNetwork(hlo::Module& module, Rewriter& rewriter,
                                                 const hlo::Instruction& sort,
                                                 std::vector<hlo::Instruction*> arrays,
                                                 hlo::Computation* comparator);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PASSES_SORT_NETWORK_H_
