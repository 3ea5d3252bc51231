// Trace (XlaBuilder::Trace): a custom call of the target "halyard.trace" that prints its operand.
#ifndef HALYARD_CLIENT_TRACE_H_
#define HALYARD_CLIENT_TRACE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/module.h"

namespace halyard::runtime {
class Context;
}  // namespace halyard::runtime

namespace halyard {

// Called for every trace of this process, from the threads that run programs, one at a time.
using TraceSink = std::function<void(const std::string& tag, const hlo::Literal& value)>;
// Null: back to the first one, which writes "trace tag: f32[2] {1, 2}" and a line's end to stderr.
void SetTraceSink(TraceSink sink);

// Makes the target known to programs of this context.
absl::Status RegisterTrace(runtime::Context* context);
// The target for the reference evaluator.
absl::StatusOr<hlo::Literal> EvaluateTrace(const hlo::Instruction& call,
                                           absl::Span<const hlo::Literal> operands);
bool IsTrace(const hlo::Instruction& call);

}  // namespace halyard

#endif  // HALYARD_CLIENT_TRACE_H_
