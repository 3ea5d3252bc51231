// Functions that programs call by name (`custom-call`). They serve all clients of this process, and
// are either registered here or found in libraries that have been loaded. All targets call them on
// the CPU.
#ifndef HALYARD_CLIENT_API_CUSTOM_CALL_H_
#define HALYARD_CLIENT_API_CUSTOM_CALL_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/module.h"
#include "runtime/program/program_spec.h"

namespace halyard::runtime {
class Context;
class Program;
}  // namespace halyard::runtime

namespace halyard {

// XLA's form. `in[i]` points to operand i. `out` points to the result; if that is a tuple, `out`
// points to an array of pointers to its elements. All arrays are dense and row-major. Nested tuples
// are flattened, and tokens are left out. While the function runs, the memory belongs to the
// program. The function must not throw.
using CustomCallFunction = void (*)(void* out, void** in);
using ConstCustomCallFunction = void (*)(void* out, const void** in);

// The complete form. `out` always points to an array of pointers, `config` is the backend_config,
// and an error ends the run. It serves any api_version. A CustomCallFunction serves
// API_VERSION_ORIGINAL, API_VERSION_UNSPECIFIED and programs that state no version.
struct CustomCallArguments {
  const void* const* in;
  void* const* out;
  absl::string_view config;
  absl::string_view types;  // for a typed call (frontend/hlo_text/call_types.h), else ""
};
using CustomCallHandler = std::function<absl::Status(const CustomCallArguments&)>;

// Registers a function. It replaces an earlier one of the same name, in programs compiled from now
// on.
void RegisterCustomCall(absl::string_view name, CustomCallFunction function);
void RegisterCustomCall(absl::string_view name, ConstCustomCallFunction function);
void RegisterCustomCall(absl::string_view name, CustomCallHandler handler);

// Opens a library with dlopen. Names that are not registered are then looked up among its functions
// (CustomCallFunction with C linkage), in the order of loading. The library stays loaded.
absl::Status LoadCustomCalls(const std::string& library);

// The functions below are for the client. RegisteredDecompositions returns the names of registered
// functions that programs call instead of loops (stablehlo::IsDecomposition), in order.
std::vector<std::string> RegisteredDecompositions();
// EvaluateCustomCall makes the call for the reference evaluator.
absl::StatusOr<hlo::Literal> EvaluateCustomCall(const hlo::Instruction& call,
                                                absl::Span<const hlo::Literal> operands);
// Registers with `context` the functions that the program calls. The runtime reports those that are
// missing.
absl::Status RegisterCallsOf(const runtime::Program& program, runtime::Context* context);
// Returns an error with the place of the first call in `module` whose function is missing or takes
// another form. With `program`, checks only the calls that it still makes.
absl::Status CheckCustomCalls(const hlo::Module& module, const ProgramSpec* program);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_CUSTOM_CALL_H_
