// Which products contraction_staged and contraction_wgmma take
// (schedules/contraction/cuda_staged.cc, cuda_wgmma.cc), and in which shape.
#ifndef HALYARD_SCHEDULES_CONTRACTION_STAGED_CHOICE_H_
#define HALYARD_SCHEDULES_CONTRACTION_STAGED_CHOICE_H_

#include <array>
#include <cstdint>

#include "lowering/kernels/contraction/staged_product.h"
#include "lowering/kernels/kernel.h"
#include "schedules/mma_product.h"

namespace halyard::schedules {

// A product in the roles of shared memory.
struct Staging {
  MmaProduct product;
  const lowering::MmaIntrinsic* mma = nullptr;
  lowering::StagedConversion conversion = lowering::StagedConversion::kNone;
  const MmaFactor* factors[2] = {nullptr, nullptr};  // A: rows, B: columns
  bool across_k[2] = {false, false};
  bool fast_columns = false;  // B has the result's fastest axis
};

// False: the templates are not for this kernel.
bool FindStaging(const lowering::LoweredKernel& kernel, Staging* staging);

// mt, nt, wm, wn, stages, bytes of a row in a step; of products by mma.sync.
lowering::StagedShape ShapeOfStaging(const Staging& staging, const std::array<int64_t, 6>& knobs);
// nt, wm, stages; of products by wgmma.
lowering::StagedShape ShapeOfWgmma(const Staging& staging, const std::array<int64_t, 3>& knobs);

// Who multiplies: warps by mma.sync, or warpgroups by wgmma.
enum class StagedBy { kWarps, kWarpgroups };

// Bytes of a row in the shortest step; sums of no more are not for this template.
inline constexpr int64_t kLeastStepBytes = 64;

// Of the smaller factor, for a default; products of fewer rows are thin ones.
inline constexpr int64_t kLeastStagedRows = 5;

// A shape, and among how many groups the steps of a sum are shared out.
struct StagedChoice {
  lowering::StagedShape shape;
  int64_t parts = 1;
};

int64_t StagedSteps(const Staging& staging, const lowering::StagedShape& shape);

// Why a choice is not possible on the device; null if it is.
const char* RefusalOfStaging(const lowering::LoweredKernel& kernel, const Staging& staging,
                             const StagedChoice& choice);

// The choice of least cost by a count of cycles; false if none is possible.
bool FindBestStaging(const lowering::LoweredKernel& kernel, const Staging& staging, StagedBy by,
                     StagedChoice* best);

// Whether a product in stages is the default, of whichever kind. A smaller product is mostly
// padding. One of few steps ends before the pipeline is full, which counts where no other groups
// fill the device meanwhile.
bool IsWorthStaging(const lowering::LoweredKernel& kernel, const Staging& staging);
// And by warpgroups: whether their best choice costs less.
bool PrefersWarpgroups(const lowering::LoweredKernel& kernel, const Staging& staging);

// For how many of a lane's sums the kernel's epilogue is written out. Loops go over more
// (codegen/passes/gpu/staged_reads.h).
int64_t MostSumsWrittenOut(const lowering::LoweredKernel& kernel);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_CONTRACTION_STAGED_CHOICE_H_
