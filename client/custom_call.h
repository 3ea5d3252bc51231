// Functions that programs call by name (`custom-call`), for all clients of this process: registered
// here, or found in libraries that have been loaded. All targets call them on the CPU.
#ifndef HALYARD_CLIENT_CUSTOM_CALL_H_
#define HALYARD_CLIENT_CUSTOM_CALL_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"
#include "runtime/program_spec.h"

namespace halyard::runtime {
class Context;
class Program;
}  // namespace halyard::runtime

namespace halyard {

// XLA's form. `in[i]` points to operand i, `out` to the result, or where that is a tuple to an
// array of pointers to its elements; all dense, row-major. Nested tuples are flattened, tokens left
// out. The memory is the program's own while the function runs. It must not throw.
using CustomCallFunction = void (*)(void* out, void** in);
using ConstCustomCallFunction = void (*)(void* out, const void** in);

// With the rest: `out` points to an array of pointers in any case, `config` is the backend_config,
// and an error ends the run. For any api_version; a CustomCallFunction serves those that say
// API_VERSION_ORIGINAL, API_VERSION_UNSPECIFIED or nothing.
struct CustomCallArguments {
  const void* const* in;
  void* const* out;
  absl::string_view config;
};
using CustomCallHandler = std::function<absl::Status(const CustomCallArguments&)>;

// Replaces an earlier one of the name, in programs compiled from now on.
void RegisterCustomCall(absl::string_view name, CustomCallFunction function);
void RegisterCustomCall(absl::string_view name, ConstCustomCallFunction function);
void RegisterCustomCall(absl::string_view name, CustomCallHandler handler);

// dlopen: names that are not registered are looked for among its functions (CustomCallFunction with
// C linkage), in the order of loading. The library stays loaded.
absl::Status LoadCustomCalls(const std::string& library);

// For the client.
// The call itself, for the reference evaluator.
absl::StatusOr<hlo::Literal> EvaluateCustomCall(const hlo::Instruction& call,
                                                absl::Span<const hlo::Literal> operands);
// Makes known to `context` what the program calls. What is not there is left for the runtime to
// report.
absl::Status RegisterCallsOf(const runtime::Program& program, runtime::Context* context);
// An error with the place of the first call in `module` of a function that is not there, or that
// takes another form. With `program`: among those that it still calls.
absl::Status CheckCustomCalls(const hlo::Module& module, const ProgramSpec* program);

}  // namespace halyard

#endif  // HALYARD_CLIENT_CUSTOM_CALL_H_
