// The x86 backend: the machine that this runs on, as one Device.
#ifndef HALYARD_RUNTIME_X86_X86_H_
#define HALYARD_RUNTIME_X86_X86_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"
#include "runtime/x86/halide_abi.h"

namespace halyard::runtime::x86 {

Status CountDevices(uint32_t* count);                // always 1
Status OpenDevice(uint32_t index, Device** device);  // as many threads as CPUs this process may use
const char* DescribeAbsence();                       // ""

// `threads` takes part in each parallel loop, its caller included; 0: as many as CPUs.
Status OpenDeviceWithThreads(uint32_t threads, Device** device);
uint32_t ThreadCount(const Device* device);

// For ahead-of-time programs, whose kernels the linker has placed: `object` describes the arguments
// (its x86_object is not used), `entry` is the code. Freed with FreeKernel.
Status LoadLinkedKernel(Device* device, const KernelObjectView& object, KernelEntry entry,
                        Kernel** kernel);

// Counters for tests and reports; a device made by this backend.
struct Counters {
  uint64_t blocks_allocated = 0;          // calls of Allocate
  uint64_t scratch_heap_allocations = 0;  // hyrt_malloc that did not fit the scratch declared
};
Counters GetCounters(const Device* device);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_X86_H_
