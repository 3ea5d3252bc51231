// From a GPU kernel's host object to the kernel object that the runtime loads: device code and
// launch list, no host code.
#ifndef HALYARD_CODEGEN_GPU_GPU_OBJECT_H_
#define HALYARD_CODEGEN_GPU_GPU_OBJECT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "runtime/device_info.h"
#include "runtime/program/program_spec.h"

namespace halyard::lowering::gpu {

struct GpuCodeOptions {
  // The kernel holds a contraction or a convolution, whose multiply-accumulates may be fused.
  bool fuse_multiply_accumulate = false;
  // CUDA: the most registers of a thread; 0: as many as its group leaves room for.
  int64_t max_registers = 0;
  // The stub has an argument more, behind the inputs: an array of so many u32, which become
  // counters at the start of the scratch (KernelObjectView::counter_bytes). 0: none.
  uint64_t counters = 0;
  // CUDA: the assembler. Found: modules are cubins for device.cuda_capability. None (empty), or one
  // that does not run or is too old for the device: they are PTX for the driver.
  std::string ptxas = FindPtxas();
  // CUDA with ptxas: gets what each device function uses. May be null.
  std::vector<PtxasKernel>* kernels = nullptr;
  // Gets why `ptxas` is of no use, if so. May be null.
  std::string* warning = nullptr;
};

// Adds modules, launches and scratch to `spec`, whose kind, name, counts and arguments are set.
// `host_object` and `entry`: see RecordStub; the object's code runs in this process. Device limits
// are checked: kResourceExhausted names the launch and the limit. `assembly`, if not null, gets
// PTX, or SPIR-V disassembled.
absl::Status AddGpuCode(absl::string_view host_object, const std::string& entry,
                        const runtime::DeviceInfo& device, std::string* assembly,
                        KernelObjectSpec* spec, const GpuCodeOptions& options = {});

}  // namespace halyard::lowering::gpu

#endif  // HALYARD_CODEGEN_GPU_GPU_OBJECT_H_
