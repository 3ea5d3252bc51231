// Describes the CPU that this process runs on.
#ifndef HALYARD_RUNTIME_X86_CPU_H_
#define HALYARD_RUNTIME_X86_CPU_H_

#include <stdint.h>

#include "runtime/device_info.h"

namespace halyard::runtime::x86 {

// Returns the features that both the CPU and the operating system support. Asks Linux for
// permission to use AMX, and leaves AMX out if that is refused.
uint64_t DetectFeatures();
// Returns the number of CPUs on which this process may run.
uint32_t OnlineCpus();
// Returns the whole DeviceInfo of this machine. `name` is its psABI level, "x86-64-v3".
DeviceInfo DescribeCpu();
// Returns "avx512_bf16", "amx" and so on, or null if the bit is not known.
const char* FeatureName(uint64_t bit);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_CPU_H_
