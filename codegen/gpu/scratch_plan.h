// Offsets for a kernel's intermediate buffers in one region, so that buffers alive together do not
// overlap.
#ifndef HALYARD_CODEGEN_GPU_SCRATCH_PLAN_H_
#define HALYARD_CODEGEN_GPU_SCRATCH_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "codegen/gpu/launch_recorder.h"

namespace halyard::lowering::gpu {

struct ScratchPlan {
  std::vector<uint64_t> offsets;  // one for each buffer; multiples of 256. Unused buffers get 0
  uint64_t bytes = 0;
};

// Big ones first, each at the lowest offset that is free while it lives.
ScratchPlan PlanScratch(absl::Span<const RecordedScratch> buffers);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_SCRATCH_PLAN_H_
