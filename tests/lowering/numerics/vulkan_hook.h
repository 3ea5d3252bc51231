// Halide's stock Vulkan runtime with NoContraction on every float operation, as Halyard's own
// SPIR-V pass adds it. Without it, the driver's compiler folds strict arithmetic.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_

namespace halyard::lowering::testing {

// Asks the loader itself: Halide's host_supports_target_device would start its runtime without the
// hook.
bool HasVulkanDevice();
// Before the first use of Vulkan by the JIT.
void InstallVulkanHook();
// For telling which expressions need the decoration. On at the start.
void DecorateNoContraction(bool on);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_VULKAN_HOOK_H_
