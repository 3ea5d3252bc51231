// The table of all backends, for code that finds, counts and opens devices of any kind.
#ifndef HALYARD_RUNTIME_BACKENDS_BACKENDS_H_
#define HALYARD_RUNTIME_BACKENDS_BACKENDS_H_

#include "runtime/backend.h"
#include "runtime/device_class.h"

namespace halyard::runtime {

struct OpenOptions {
  uint32_t threads = 0;                         // x86: threads of a parallel loop; 0: one per CPU
  const char* pipeline_cache_folder = nullptr;  // Vulkan (vulkan.h); null for no cache
};

struct Backend {
  DeviceKind kind;
  Status (*count)(uint32_t* count);  // sets 0 and returns OK if there is no driver
  // Describes the device that `open` would open, without opening it.
  Status (*describe)(uint32_t index, DeviceInfo* info);
  Status (*open)(uint32_t index, const OpenOptions& options, Device** device);
  const char* (*absence)();  // why `count` set 0

  const char* name() const { return KindName(kind); }
};

// The backends, in the order in which `auto` prefers their devices.
inline constexpr int kNumBackends = 3;
extern const Backend kBackends[kNumBackends];
// Returns null for a kind whose devices are not opened (the reference evaluator).
const Backend* BackendOf(DeviceKind kind);
// Returns null if no backend has that name.
const Backend* BackendNamed(const char* name);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_BACKENDS_BACKENDS_H_
