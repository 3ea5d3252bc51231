// KernelRequest → KernelReply in this process: Halide's whole run for one kernel. Only
// halyard-codegen's forked children (and tests) call it.
#ifndef HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_
#define HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "lowering/kernel_request.h"

namespace halyard::lowering {

// Every exception of ours and of Halide's becomes a Status that names the kernel's first
// instruction. Aborts do not: that is what the fork is for.
absl::StatusOr<KernelReply> CompileKernel(const KernelRequest& request);

// What users will recognise in an error: the kernel's last instruction. `request`: HLO text, or a
// whole request's bytes, which end with it.
std::string KernelLabel(absl::string_view request);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_COMPILE_KERNEL_H_
