// Programs whose sizes are known only when they are called or while they run
// (frontend/hlo/dynamic/specialize.h).
#ifndef HALYARD_CLIENT_API_DYNAMIC_EXECUTABLE_H_
#define HALYARD_CLIENT_API_DYNAMIC_EXECUTABLE_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "frontend/hlo/ir/module.h"

namespace halyard {

// Compiles a static module for the client's device.
using CompileStatic =
    std::function<absl::StatusOr<std::unique_ptr<Executable>>(const hlo::Module& module)>;

// The most compiled programs that are kept, by shapes and by the sizes found in runs. The one that
// has not been used for longest is dropped.
inline constexpr size_t kMaxStaticPrograms = 128;

// `module` comes from PrepareDynamic. Each Run makes the module static for its arguments' shapes,
// or takes what was compiled for the same shapes. If sizes follow from values, it first runs the
// part that computes those values. Loops and branches that contain such sizes run step by step.
// Results have their actual sizes. `compile` compiles for logical device `device`.
absl::StatusOr<std::unique_ptr<Executable>> MakeDynamicExecutable(
    std::unique_ptr<hlo::Module> module, CompileStatic compile,
    size_t max_programs = kMaxStaticPrograms, int device = 0);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_DYNAMIC_EXECUTABLE_H_
