// Compiles one kernel, runs it on a device, and compares with the reference evaluator.
#ifndef HALYARD_TESTS_SCHEDULES_KERNEL_HARNESS_H_
#define HALYARD_TESTS_SCHEDULES_KERNEL_HARNESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/backend.h"

namespace halyard::testing {

// Returns the device: "x86" (this CPU), "x86:v2", "x86:v3", "x86:v4" (null if this CPU lacks it),
// "vulkan" (the first device, or null without a driver) or "cuda" (likewise). It stays open until
// the process ends.
runtime::Device* DeviceNamed(const std::string& name);
runtime::DeviceInfo InfoNamed(const std::string& name);

// Returns the same values each time: floats within [-2, 2], and small integers.
std::vector<hlo::Literal> RandomInputs(const hlo::Module& module, uint64_t seed);

// Compiles through the codegen service of this build.
absl::StatusOr<lowering::KernelReply> CompileHlo(
    const std::string& hlo, const runtime::DeviceInfo& device, const std::string& schedule = "",
    std::vector<std::pair<int32_t, int32_t>> aliases = {}, bool dump = false);
// Returns one literal for each output.
absl::StatusOr<std::vector<hlo::Literal>> RunKernel(
    const lowering::KernelReply& kernel, runtime::Device& device, const hlo::Module& module,
    const std::vector<hlo::Literal>& inputs, std::vector<std::pair<int32_t, int32_t>> aliases = {});

// Returns an empty text if the compiled kernel's results on made-up inputs agree with those of the
// evaluator on its HLO, and those on whole numbers and special values agree by the tuner's rules.
// Otherwise, returns what is wrong. Memory beside the results must stay as it is.
std::string CheckReply(const lowering::KernelReply& reply, const std::string& hlo,
                       runtime::Device& device, double tolerance,
                       std::vector<std::pair<int32_t, int32_t>> aliases = {});
// Does the same with the kernel compiled for the device of that name.
std::string CheckKernel(const std::string& hlo, const std::string& device, double tolerance,
                        const std::string& schedule = "",
                        std::vector<std::pair<int32_t, int32_t>> aliases = {});

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_KERNEL_HARNESS_H_
