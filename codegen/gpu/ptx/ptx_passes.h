// What Halide's PTX needs before ptxas or a driver may see it.
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_PASSES_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_PASSES_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

struct PtxOptions {
  // Multiply-accumulates (an fma whose addend is carried round a loop, or loaded from where its
  // result is stored) stay fused.
  bool fuse_multiply_accumulate = false;
  // Threads of a group, by entry: tells ptxas how many registers there are to use (.maxntid).
  std::map<std::string, std::array<uint32_t, 3>> group;
  int64_t max_registers = 0;  // of a thread of any entry (.maxnreg); 0: no limit
};

// - Rounds every float add, sub, mul explicitly (.rn), so that ptxas fuses none, and splits the
// fmas that LLVM made of strict
//   multiplications and additions: Halide 21 lets it fuse these, too.
// - Makes square roots, divisions and reciprocals correctly rounded.
// - Bases shared memory on a declared symbol: Halide addresses it from 0, where since sm_90 the
// system's own part lies.
// - Adds .maxntid and .maxnreg.
// kUnimplemented names an instruction that approximates (.approx) or flushes denormals (.ftz) and
// has no exact form here.
absl::StatusOr<std::string> PreparePtx(absl::string_view ptx, const PtxOptions& options);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_PASSES_H_
