// Device intrinsics in PTX: calls of undefined functions become instructions. (Those of products in
// stages are in ptx_staged.h.)
#ifndef HALYARD_CODEGEN_GPU_PTX_PTX_MMA_H_
#define HALYARD_CODEGEN_GPU_PTX_PTX_MMA_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace halyard::lowering::gpu {

// Replaces every call of an intrinsic of device_intrinsics.h in Halide's PTX for a device of
// `capability`, and drops the functions' declarations. The four calls of a product (NAME_0 …
// NAME_3, in any order, within one basic block) become one instruction, at the place of the first.
// Halide passes each call the results of those before it in the place of the accumulators; the
// instruction takes those of the first call.
//
// An error, and no text, unless for every product: the words of A and B are the same in all four
// calls; each accumulator of a later call is the first's or the result of an earlier call;
// between the first call and the last no other instruction reads or writes a register of the group.
// And unless every convergent intrinsic stands where all lanes come by: no branch before it leads
// past it. Text that is not as LLVM prints it is an error, too.
absl::StatusOr<std::string> RewriteIntrinsics(absl::string_view ptx, int capability);

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_PTX_PTX_MMA_H_
