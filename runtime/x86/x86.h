// The x86 backend: the machine on which this runs, as one Device.
#ifndef HALYARD_RUNTIME_X86_X86_H_
#define HALYARD_RUNTIME_X86_X86_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"
#include "runtime/x86/halide_abi.h"
#include "runtime/x86/thread_pool.h"

namespace halyard::runtime::x86 {

Status CountDevices(uint32_t* count);                // always 1
Status OpenDevice(uint32_t index, Device** device);  // with as many threads as CPUs that this
                                                     // process may use
const char* DescribeAbsence();                       // ""
Status DescribeDevice(uint32_t index, DeviceInfo* info);

// `threads` take part in each parallel loop, including its caller; 0 stands for as many as CPUs.
// Memory comes from the host of this thread (host.h).
Status OpenDeviceWithThreads(uint32_t threads, Device** device);
// Opens the device with the application's threads, and starts none.
Status OpenDeviceWithApplicationThreads(const ApplicationThreads& threads, Device** device);
// Opens a device that shares the threads of another one that this backend made.
Status OpenDeviceWithThreadsOf(const Device* other, Device** device);
uint32_t ThreadCount(const Device* device);

// For ahead-of-time programs, whose kernels the linker has placed. `object` describes the arguments
// (its x86_object is not used), and `entry` is the code. Free the kernel with FreeKernel.
Status LoadLinkedKernel(Device* device, const KernelObjectView& object, KernelEntry entry,
                        Kernel** kernel);

// Counters for tests and reports, of a device that this backend made.
struct Counters {
  uint64_t blocks_allocated = 0;          // number of calls of Allocate
  uint64_t scratch_heap_allocations = 0;  // calls of hyrt_malloc that did not fit the declared
                                          // scratch
};
Counters GetCounters(const Device* device);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_X86_H_
