// Pairs of 32-bit values that LLVM packs in 64-bit registers.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_PAIRS_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_PAIRS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

// LLVM's vectorizer keeps neighbouring floats in .b64 registers: `mov.b64 %rd, {%lo, %hi}` before a
// loop's back edge, `mov.b64 {%lo, %hi}, %rd` behind it. ptxas cannot always give a pair and its
// halves the same registers, and then moves the accumulators of mma.sync in every turn of a loop.
//
// Replaces such a register by two of 32 bits in its whole function: packs, unpacks and copies
// become moves, which ptxas removes; selects, logic, shifts by 32 or more, loads and stores work on
// halves. Registers that copies, selects, … connect are split together, or not at all if one of
// them is used in any other way (as an address, in 64-bit arithmetic, in packed f32x2 arithmetic).
std::string SplitPairs(absl::string_view ptx);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_PAIRS_H_
