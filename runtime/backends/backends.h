// Every backend as a row: what finds, counts and opens devices without knowing their kinds.
#ifndef HALYARD_RUNTIME_BACKENDS_BACKENDS_H_
#define HALYARD_RUNTIME_BACKENDS_BACKENDS_H_

#include "runtime/backend.h"
#include "runtime/device_class.h"

namespace halyard::runtime {

struct OpenOptions {
  uint32_t threads = 0;                         // x86: of a parallel loop; 0: as many as CPUs
  const char* pipeline_cache_folder = nullptr;  // Vulkan (vulkan.h); null: none
};

struct Backend {
  DeviceKind kind;
  Status (*count)(uint32_t* count);  // 0 with OK where there is no driver
  // Says what the device would say of itself, without opening it.
  Status (*describe)(uint32_t index, DeviceInfo* info);
  Status (*open)(uint32_t index, const OpenOptions& options, Device** device);
  const char* (*absence)();  // why count gave 0

  const char* name() const { return KindName(kind); }
};

// In the order in which `auto` prefers their devices.
inline constexpr int kNumBackends = 3;
extern const Backend kBackends[kNumBackends];
// Null: no device of that kind is opened (the reference evaluator).
const Backend* BackendOf(DeviceKind kind);
// Null: there is none of that name.
const Backend* BackendNamed(const char* name);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_BACKENDS_BACKENDS_H_
