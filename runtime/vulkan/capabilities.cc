#include "runtime/vulkan/capabilities.h"

namespace halyard::runtime::vulkan {
namespace {

constexpr size_t kHeaderWords = 5;
constexpr uint32_t kOpCapability = 17;

// Numbers of the SPIR-V specification, and the features of Vulkan that allow them. The position of
// a row is its bit.
struct Row {
  uint32_t capability;
  const char* feature;
};
constexpr Row kRows[] = {
    {9, "shaderFloat16"},
    {10, "shaderFloat64"},
    {11, "shaderInt64"},
    {22, "shaderInt16"},
    {39, "shaderInt8"},
    {4433, "storageBuffer16BitAccess"},
    {4434, "uniformAndStorageBuffer16BitAccess"},
    {4448, "storageBuffer8BitAccess"},
    {4449, "uniformAndStorageBuffer8BitAccess"},
};
constexpr uint32_t kNumRows = sizeof(kRows) / sizeof(kRows[0]);

}  // namespace

uint32_t EnabledCapabilities(const Features& features) {
  const VkPhysicalDeviceFeatures& core = features.core.features;
  const VkBool32 enabled[kNumRows] = {features.v12.shaderFloat16,
                                      core.shaderFloat64,
                                      core.shaderInt64,
                                      core.shaderInt16,
                                      features.v12.shaderInt8,
                                      features.v11.storageBuffer16BitAccess,
                                      features.v11.uniformAndStorageBuffer16BitAccess,
                                      features.v12.storageBuffer8BitAccess,
                                      features.v12.uniformAndStorageBuffer8BitAccess};
  uint32_t bits = 0;
  for (uint32_t i = 0; i < kNumRows; ++i) bits |= enabled[i] != 0 ? 1u << i : 0;
  return bits;
}

// Capabilities are the first instructions.
Status CheckCapabilities(const char* kernel, uint32_t enabled, const uint32_t* words,
                         size_t count) {
  for (size_t at = kHeaderWords; at + 1 < count; at += 2) {
    if (words[at] != (2u << 16 | kOpCapability)) return Status();
    for (uint32_t i = 0; i < kNumRows; ++i) {
      if (kRows[i].capability != words[at + 1] || (enabled >> i & 1) != 0) continue;
      return MakeStatus(
          Code::kFailedPrecondition,
          "kernel %s needs the feature %s, which the device lacks or was made without", kernel,
          kRows[i].feature);
    }
  }
  return Status();
}

}  // namespace halyard::runtime::vulkan
