// Programs whose sizes are known when they are called, or while they run
// (frontend/hlo/specialize.h).
#ifndef HALYARD_CLIENT_DYNAMIC_EXECUTABLE_H_
#define HALYARD_CLIENT_DYNAMIC_EXECUTABLE_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "client/client.h"
#include "frontend/hlo/module.h"

namespace halyard {

// Compiles a static module for the client's device.
using CompileStatic =
    std::function<absl::StatusOr<std::unique_ptr<Executable>>(const hlo::Module& module)>;

// Programs compiled at a time, by shapes and by the sizes found in runs; the one unused for longest
// is dropped.
inline constexpr size_t kMaxStaticPrograms = 128;

// `module` is PrepareDynamic's. Each Run makes it static for its arguments' shapes, or takes what
// was compiled for the same ones; where sizes follow from values, it runs the part that gives those
// values first. Loops and branches with such sizes inside are run step by step. Results are of the
// sizes they have.
absl::StatusOr<std::unique_ptr<Executable>> MakeDynamicExecutable(
    std::unique_ptr<hlo::Module> module, CompileStatic compile,
    size_t max_programs = kMaxStaticPrograms);

}  // namespace halyard

#endif  // HALYARD_CLIENT_DYNAMIC_EXECUTABLE_H_
