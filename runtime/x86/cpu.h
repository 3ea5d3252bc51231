// What this CPU has, and may use.
#ifndef HALYARD_RUNTIME_X86_CPU_H_
#define HALYARD_RUNTIME_X86_CPU_H_

#include <stdint.h>

#include "runtime/device_info.h"

namespace halyard::runtime::x86 {

// Features that both the CPU and the operating system support. Asks Linux for the use of AMX;
// refused is "no AMX".
uint64_t DetectFeatures();
// CPUs this process may run on.
uint32_t OnlineCpus();
// Everything of DeviceInfo for this machine; `name` is its psABI level, "x86-64-v3".
DeviceInfo DescribeCpu();
// "avx512_bf16", "amx", …; null for no known bit.
const char* FeatureName(uint64_t bit);

}  // namespace halyard::runtime::x86

#endif  // HALYARD_RUNTIME_X86_CPU_H_
