// Hopper's products of four warps (PTX ISA, "Asynchronous warpgroup level matrix instructions"),
// for products in stages (lowering/kernels/contraction/staged_product.h).
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_WGMMA_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_WGMMA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/kernels/contraction/staged_product.h"

namespace halyard::lowering::gpu {

// Whatever uses these instructions runs on sm_90 alone, as ".target sm_90a" says.
inline constexpr char kWgmmaTarget[] = "sm_90a";
inline constexpr int kWgmmaCapability = 90;
// Places in shared memory change with bits 7 to 9 of the address, so what begins together must
// begin at a multiple of this.
inline constexpr int kWgmmaAlignment = 1024;

// Makes a register the descriptor of what lies at `place` + `more` behind %hy_slots ("Matrix
// descriptor"), in lines of 128 bytes whose pieces change places: from eight lines to the next
// eight, and, of a factor across k, from 64 of its rows to the next 64, `block` bytes further (0:
// it lies along k).
std::vector<std::string> WgmmaDescriptor(const std::string& descriptor, const std::string& place,
                                         const std::string& more, int64_t block);

// The products of a step, of registers or constants: where the warpgroup's rows of A begin in a
// slot, where B begins, and where the slot does. All lie behind %hy_slots. They are under way when
// the lines have run; those of the step before are complete.
std::vector<std::string> WgmmaStep(const StagedShape& shape, const std::string& place_a,
                                   const std::string& place_b, const std::string& slot);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_WGMMA_H_
