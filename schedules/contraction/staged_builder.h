// The pipeline of products in stages (lowering/kernels/contraction/staged_product.h), which the
// templates contraction_staged and contraction_wgmma build. codegen/passes/gpu/staged_loops.h
// writes the loop, codegen/gpu/ptx/ptx_staged.h its instructions. Index arithmetic and epilogue are
// Halide's, sums are not: an epilogue reads them by kStagedRead.
//
// The factor that has the result's fastest axis is B, the columns. Where its rows lie along k, they
// change places on their way to shared memory (RowOfLine), so that a lane's sums of h neighbouring
// tiles are 2h neighbours in the result, and those of the four lanes of a row follow each other:
// vectors of 16 bytes that fill whole sectors of memory. Rows past the last are read clamped and
// not written, elements of k past the last are zeros.
//
// With `parts`, as many groups share the steps of a sum, and a second kernel adds what they found.
#ifndef HALYARD_SCHEDULES_CONTRACTION_STAGED_BUILDER_H_
#define HALYARD_SCHEDULES_CONTRACTION_STAGED_BUILDER_H_

#include <cstdint>

#include "lowering/kernels/kernel.h"
#include "schedules/contraction/staged_choice.h"

namespace halyard::schedules {

// Throws LimitError if the choice is not possible. `raster`: at most so many groups side by side
// along A's rows share lines of B in L2.
void BuildStaged(lowering::LoweredKernel& kernel, const Staging& staging,
                 const StagedChoice& choice, int64_t raster);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_STAGED_BUILDER_H_
