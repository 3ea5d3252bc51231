// Adds NoContraction to every float operation of Halide's stock Vulkan runtime, as Halyard's own
// SPIR-V pass does. Without it, the driver's compiler folds strict arithmetic.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_

namespace halyard::lowering::testing {

// Asks the loader itself, because Halide's host_supports_target_device would start its runtime
// without the hook.
bool HasVulkanDevice();
// Call this before the JIT first uses Vulkan.
void InstallVulkanHook();
// Serves to find out which expressions need the decoration. Initially on.
void DecorateNoContraction(bool on);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_
