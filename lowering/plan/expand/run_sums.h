// Sums of the updates of a place that take as long whatever number of them there are.
#ifndef HALYARD_LOWERING_PLAN_EXPAND_RUN_SUMS_H_
#define HALYARD_LOWERING_PLAN_EXPAND_RUN_SUMS_H_

#include "lowering/plan/rewriter.h"

namespace halyard::lowering {

// The updates of a scatter are cut into chunks of so many.
inline constexpr int64_t kRunChunk = 128;
// So many elements are not cut again: a sum has at most as many terms.
inline constexpr int64_t kRunBlock = 4 * kRunChunk;

// Returns whether the updates may be combined in another grouping than one after the other: there
// is one array of more than a chunk of updates, and the body is one op that docs/numerics.md lets a
// schedule group as it likes, on the array's own type.
bool HasRunSums(const hlo::Instruction& scatter, int64_t vectors, int64_t row_elements);

// Returns the number of updates with which all chunks, and chunks of chunks, are whole.
int64_t PaddedForRunSums(int64_t vectors);

struct RunSums {
  hlo::Instruction* indices;  // s32[chunks, kRunChunk, 2]
  hlo::Instruction* updates;  // [chunks, kRunChunk, rest…]
};
// `places`, s32[PaddedForRunSums], are in order, and `updates`, [chunks, kRunChunk, rest…], are
// combined by the body of `scatter`, for which HasRunSums. Returns index vectors (place, 0), or
// (place, -1) for updates to be left out, which are in order, too. At most kRunChunk updates of a
// place are left, and what the others come to is in the first of these. `again` are the updates,
// too: what is read twice need not be the same instruction.
RunSums SumRuns(Rewriter& rewriter, const hlo::Instruction& scatter, hlo::Instruction* places,
                hlo::Instruction* updates, hlo::Instruction* again);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_PLAN_EXPAND_RUN_SUMS_H_
