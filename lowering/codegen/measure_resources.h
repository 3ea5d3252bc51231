// Finds out what a kernel object that was just made takes of the device.
#ifndef HALYARD_LOWERING_CODEGEN_MEASURE_RESOURCES_H_
#define HALYARD_LOWERING_CODEGEN_MEASURE_RESOURCES_H_

#include "absl/types/span.h"
#include "lowering/codegen/gpu/ptxas.h"
#include "lowering/kernel_resources.h"
#include "runtime/program_spec.h"

namespace halyard::lowering {

// `assembled` is what ptxas said when it made the spec's cubins. It is empty if the modules are PTX
// or not for CUDA. Nothing is known of kernels that call a vendor's library.
KernelResources MeasureResources(const KernelObjectSpec& spec,
                                 absl::Span<const gpu::PtxasKernel> assembled);

}  // namespace halyard::lowering

#endif  // HALYARD_LOWERING_CODEGEN_MEASURE_RESOURCES_H_
