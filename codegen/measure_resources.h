// Finds out what a kernel object that was just made takes of the device.
#ifndef HALYARD_CODEGEN_MEASURE_RESOURCES_H_
#define HALYARD_CODEGEN_MEASURE_RESOURCES_H_

#include "absl/types/span.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "lowering/kernels/kernel_resources.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering {

// `assembled` is what ptxas said when it made the spec's cubins. It is empty if the modules are PTX
// or not for CUDA. Nothing is known of kernels that call a vendor's library.
KernelResources MeasureResources(const KernelObjectSpec& spec,
                                 absl::Span<const gpu::PtxasKernel> assembled);

}  // namespace halyard::lowering

#endif  // HALYARD_CODEGEN_MEASURE_RESOURCES_H_
