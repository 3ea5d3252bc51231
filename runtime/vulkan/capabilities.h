// What shaders may use of a device, by the features that it was made with.
#ifndef HALYARD_RUNTIME_VULKAN_CAPABILITIES_H_
#define HALYARD_RUNTIME_VULKAN_CAPABILITIES_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/status.h"
#include "runtime/vulkan/instance.h"

namespace halyard::runtime::vulkan {

// Returns a set of bits, for CheckCapabilities.
uint32_t EnabledCapabilities(const Features& features);

// Returns kFailedPrecondition, with the name of the feature, if the SPIR-V module declares a
// capability that is not enabled.
Status CheckCapabilities(const char* kernel, uint32_t enabled, const uint32_t* words, size_t count);

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_CAPABILITIES_H_
