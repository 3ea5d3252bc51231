// KernelRequest → KernelReply in this process: Halide's whole run for one kernel. Only
// halyard-codegen's forked children (and tests) call it.
#ifndef HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_
#define HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_

#include "absl/status/statusor.h"
#include "lowering/kernel_request.h"

namespace halyard::lowering {

// Every exception of ours and of Halide's becomes a Status that names the kernel's first
// instruction. Aborts do not: that is what the fork is for.
absl::StatusOr<KernelReply> CompileKernel(const KernelRequest& request);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_
