// Turns a KernelRequest into a KernelReply in this process, with all of Halide's work for one
// kernel. Only halyard-codegen's forked children (and tests) call it.
#ifndef HALYARD_CODEGEN_COMPILE_KERNEL_H_
#define HALYARD_CODEGEN_COMPILE_KERNEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::lowering {

// Every exception of ours and of Halide's becomes a Status that names the kernel's first
// instruction. Aborts do not, which is why there is a fork.
absl::StatusOr<KernelReply> CompileKernel(const KernelRequest& request);

// Returns what users will recognise in an error: the kernel's last instruction. `request` is HLO
// text, or the bytes of a whole request, which end with it.
std::string KernelLabel(absl::string_view request);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_COMPILE_KERNEL_H_
